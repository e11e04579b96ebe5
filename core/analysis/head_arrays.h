// Where a trace holds what is computed of a head: all of it.
#pragma once
#include <utility>

#include "core/attention/forward.h"
#include "core/model/site.h"

namespace hydra {

inline constexpr std::pair<Quantity, Array<float> HeadTrace<float>::*> kHeadArrays[] = {
    {Quantity::Q, &HeadTrace<float>::Q},
    {Quantity::K, &HeadTrace<float>::K},
    {Quantity::V, &HeadTrace<float>::V},
    {Quantity::normed_Q, &HeadTrace<float>::normed_Q},
    {Quantity::normed_K, &HeadTrace<float>::normed_K},
    {Quantity::rotated_Q, &HeadTrace<float>::rotated_Q},
    {Quantity::rotated_K, &HeadTrace<float>::rotated_K},
    {Quantity::own_scores, &HeadTrace<float>::own_scores},
    {Quantity::scores, &HeadTrace<float>::scores},
    {Quantity::scores_2, &HeadTrace<float>::scores_2},
    {Quantity::own_attention, &HeadTrace<float>::own_attention},
    {Quantity::attention_2, &HeadTrace<float>::attention_2},
    {Quantity::attention, &HeadTrace<float>::attention},
    {Quantity::output, &HeadTrace<float>::output},
    {Quantity::normed_output, &HeadTrace<float>::normed_output},
    {Quantity::output_gate, &HeadTrace<float>::output_gate},
    {Quantity::gated_output, &HeadTrace<float>::gated_output},
    {Quantity::contribution, &HeadTrace<float>::contribution},
};

}  // namespace hydra
