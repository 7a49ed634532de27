// SPDX-License-Identifier: Apache-2.0
// What a user is told when something is refused.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace railyard {

/// The message of the InputError that `action` throws; "nothing thrown" otherwise.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace railyard
