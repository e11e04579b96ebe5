// NumPy's words for types, without the order of the bytes. For .cpp files of this folder only.
#pragma once
#include <array>
#include <string_view>
#include <utility>

#include "core/tensors/number_type.h"

namespace hydra {

inline constexpr std::array<std::pair<std::string_view, NumberType>, 12> kNpyTypes = {{
    {"f8", NumberType::f64},
    {"f4", NumberType::f32},
    {"f2", NumberType::f16},
    {"i8", NumberType::i64},
    {"i4", NumberType::i32},
    {"i2", NumberType::i16},
    {"i1", NumberType::i8},
    {"u8", NumberType::u64},
    {"u4", NumberType::u32},
    {"u2", NumberType::u16},
    {"u1", NumberType::u8},
    {"b1", NumberType::boolean},
}};

}  // namespace hydra
