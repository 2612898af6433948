// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/report/command_documents.h"
#include "launcher/process/console.h"
#include "launcher/verbs.h"
#include "launcher/verbs/completion_candidates.h"
#include "launcher/verbs/manual.h"

namespace understudy::launcher {
namespace {

// Each script asks `understudy completion words -- WORD...` for the candidates, one per line. A
// last line ":files" means that names of files may follow too.
constexpr std::string_view kFiles = ":files";

constexpr std::string_view kBash =
    R"sh(# bash completion for understudy; use: source <(understudy completion bash)
_understudy() {
  local word=${COMP_WORDS[COMP_CWORD]} line files=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; else COMPREPLY+=("$line"); fi
  done < <("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $files ]]; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  fi
  # Readline splits words at "=" and ":", which values such as random:1 have.
  if [[ $(type -t __ltrim_colon_completions) == function ]]; then
    __ltrim_colon_completions "$word"
  fi
}
complete -F _understudy understudy)sh";

constexpr std::string_view kZsh = R"sh(#compdef understudy
# zsh completion for understudy; install as _understudy in a folder of $fpath
_understudy() {
  local -a found
  found=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ ${found[-1]} == :files ]]; then
    found[-1]=()
    _files
  fi
  compadd -- "${(@)found:#}"
}
_understudy "$@")sh";

constexpr std::string_view kFish = R"sh(# fish completion for understudy
function __understudy_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] completion words -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c understudy -f -a '(__understudy_complete)')sh";

// The format that the three scripts parse. No candidate may hold a newline.
std::string lines_of(const Candidates& candidates) {
  std::string text;
  for (const std::string& word : candidates.words) text += word + '\n';
  if (candidates.files) text += kFiles;
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// The scripts hold no names of verbs or options, so they stay valid after an update of understudy.
class Completion final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("WHAT", what_, "bash, zsh, fish or man; words: candidates, for the scripts")
        ->type_name("");
    app.add_option("WORDS", line_,
                   "after words --: the command line so far, without \"understudy\"")
        ->type_name("");
    app.add_flag("--json", json_, "print JSON (understudy/completion/1)");
  }

  int run(const Console& console, const Environment& environment) override {
    if (json_) {
      console.document(to_json(document(environment)));
      return 0;
    }
    if (what_ == "words") {
      const std::string text = lines_of(candidates_for(line_, environment));
      if (!text.empty()) console.result(text);
      return 0;
    }
    console.result(script());
    return 0;
  }

 private:
  configs::CompletionDocument document(const Environment& environment) const {
    configs::CompletionDocument all;
    all.what = what_;
    if (what_ != "words") {
      all.text = script();
      return all;
    }
    const Candidates found = candidates_for(line_, environment);
    all.candidates = {found.words.begin(), found.words.end()};
    all.files = found.files;
    return all;
  }

  std::string script() const {
    if (!line_.empty()) throw Error(ErrorKind::usage, "only \"completion words\" takes words");
    if (what_ == "bash") return std::string(kBash);
    if (what_ == "zsh") return std::string(kZsh);
    if (what_ == "fish") return std::string(kFish);
    if (what_ == "man") return manual();
    throw Error(ErrorKind::usage, "completion requires \"bash\", \"zsh\", \"fish\" or \"man\"");
  }

  std::string what_;
  std::vector<std::string> line_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<Completion>(); }

}  // namespace understudy::launcher
