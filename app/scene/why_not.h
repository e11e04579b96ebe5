// Why what is asked for cannot be looked at; empty: it can.
#pragma once
#include <string>

#include "app/scene/actions/actions.h"
#include "core/attention/trace.h"
#include "core/document/document.h"

namespace hydra {

// A layer or head of the document, or of the trace where that is still of another one.
std::string why_not(const act::GoTo& to, const Document& document, const Trace& trace, int layer_in_focus);
std::string why_not(const act::Select& number, const Trace& trace);
std::string why_not(const act::SelectMade& number);  // how large its matrix is, who draws it knows
std::string why_not(const act::Inspect& matrix, const Trace& trace);

}  // namespace hydra
