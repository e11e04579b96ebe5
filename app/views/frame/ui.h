// The vocabulary of the views, in one header: what a view gets, its controls, text and numbers, probes, rooms.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/views/frame/context.h"
#include "app/views/frame/controls.h"
#include "app/views/frame/look.h"
#include "app/widgets/matrix/token_axis.h"
#include "app/widgets/room.h"
#include "core/text/wording.h"
