// SPDX-License-Identifier: Apache-2.0
// The Boost.Graph type behind Fabric; only the sources of this room include it.
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include "topologies/fabric.h"

namespace railyard {

/// Parallel edges are parallel links; edges keep the order in which they were wired.
using FabricGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, Device, Link>;

}  // namespace railyard
