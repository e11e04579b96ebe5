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

#include "app/views/context.h"
#include "app/views/controls.h"
#include "app/views/look.h"
#include "app/widgets/color_map.h"
#include "app/widgets/format.h"
#include "app/widgets/nth.h"
#include "app/widgets/pen.h"
#include "app/widgets/probe.h"
#include "app/widgets/room.h"
#include "app/widgets/token_axis.h"
