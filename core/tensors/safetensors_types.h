// The types of safetensors that are read and written here, widest first. For .cpp files of this folder only.
#pragma once
#include <array>
#include <string_view>
#include <utility>

#include "core/tensors/number_type.h"

namespace hydra {

inline constexpr std::array<std::pair<std::string_view, NumberType>, 13> kSafetensorsTypes = {{
    {"F64", NumberType::f64},
    {"I64", NumberType::i64},
    {"U64", NumberType::u64},
    {"F32", NumberType::f32},
    {"I32", NumberType::i32},
    {"U32", NumberType::u32},
    {"F16", NumberType::f16},
    {"BF16", NumberType::bf16},
    {"I16", NumberType::i16},
    {"U16", NumberType::u16},
    {"I8", NumberType::i8},
    {"U8", NumberType::u8},
    {"BOOL", NumberType::boolean},
}};

}  // namespace hydra
