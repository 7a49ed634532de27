// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"
#include "sim/app/commands.h"
#include "sim/report/what_if_text.h"

namespace railyard {

Outcome run(const WhatIfOptions& options, const Context& context) {
  const Study base = read_study(options.study, {}, context.catalogue);
  if (options.settings.empty() && options.failures.empty()) {
    throw InputError("nothing changes", "give --set KEY=VALUE or --fail KIND:COUNT");
  }
  const Study changed = read_study(options.study, options.settings, context.catalogue);
  std::vector<Failure> failures;
  for (const std::string& text : options.failures) failures.push_back(parse_failure(text));
  const int before = size_of(base, options.gpus, options.settings),
            after = size_of(changed, options.gpus, options.settings);
  WhatIf result = what_if(base, changed, failures, before, after, context.catalogue);
  result.settings = options.settings;
  Outcome outcome;
  switch (context.format) {
    case Format::json:
      outcome.output = what_if_json(result);
      break;
    case Format::csv:
      outcome.output = to_csv(what_if_table(result));
      break;
    case Format::text:
      outcome.output = what_if_text(result);
      break;
  }
  if (!options.svg.empty()) outcome.notes = write_file("--svg", options.svg, what_if_svg(result));
  return outcome;
}

}  // namespace railyard
