#include "app/cli/sweep_command.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <thread>

#include "core/attention/config.h"
#include "core/document/file.h"
#include "core/document/sweep.h"
#include "core/error.h"

namespace hydra {

namespace {

// A number between commas, perhaps with spaces around it.
Index count_of(std::string text) {
  const auto strange = [](char c) { return c != ' '; };
  text.erase(std::find_if(text.rbegin(), text.rend(), strange).base(), text.end());
  text.erase(text.begin(), std::find_if(text.begin(), text.end(), strange));
  Index count = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (fault != std::errc() || end != text.data() + text.size())
    throw InputError("--heads: \"" + text + "\" is not a whole number; give head counts such as 1,2,4,8");
  return count;
}

std::vector<Index> head_counts_of(const SweepOptions& options, Index d_model) {
  if (!options.heads) return usual_head_counts(d_model);
  std::vector<Index> counts;
  for (std::size_t from = 0, comma = 0; comma != std::string::npos; from = comma + 1) {
    comma = options.heads->find(',', from);
    counts.push_back(count_of(options.heads->substr(from, comma - from)));
  }
  try {
    return checked_head_counts(counts, d_model);
  } catch (const InputError& fault) {
    throw InputError(std::string("--heads: ") + fault.what());
  }
}

// [####....] 3 of 7
void show_progress(int done, std::size_t all) {
  std::string bar;
  for (std::size_t k = 0; k < all; ++k) bar += static_cast<int>(k) < done ? '#' : '.';
  std::fprintf(stderr, "\r[%s] %d of %zu%s", bar.c_str(), done, all, static_cast<std::size_t>(done) == all ? "\n" : "");
  std::fflush(stderr);
}

}  // namespace

int run_sweep(const SweepOptions& options) {
  if (options.head < 1) throw InputError("--head: heads are counted from 1");
  const Document document = read_document(options.file, options.sets);
  const std::vector<Index> counts = head_counts_of(options, document.d_model);
  if (options.head > counts.back())
    throw InputError("--head: there is no head " + std::to_string(options.head) + "; the most heads swept are " +
                     std::to_string(counts.back()));
  ThreadPool pool(static_cast<int>(std::thread::hardware_concurrency()));
  const std::vector<Index> kv_counts = usual_kv_head_counts(document, static_cast<Index>(tokens_of(document).size()));
  // Both sweeps are one bar.
  const auto progress = [&](std::size_t before) -> std::function<void(int)> {
    if (isatty(STDERR_FILENO) == 0) return {};
    return
        [=, all = counts.size() + kv_counts.size()](int done) { show_progress(static_cast<int>(before) + done, all); };
  };
  const std::vector<SweepEntry> entries = Sweeps(&pool).of(document, counts, options.head - 1, progress(0));
  std::vector<SweepEntry> sharing;
  if (!kv_counts.empty()) sharing = Sweeps(&pool, Swept::kv_heads).of(document, kv_counts, -1, progress(counts.size()));
  write_whole(options.out, [&](const Sink& sink) { write_sweep(entries, sharing, sink); });
  return 0;
}

}  // namespace hydra
