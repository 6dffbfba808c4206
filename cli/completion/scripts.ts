import type { Command } from 'commander';
import type { CliIo, CommandEntry } from '../command.js';
import { createProgram } from '../program.js';

/** The completion script of each shell. */
export const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Record<string, (commands: readonly DescribedCommand[]) => string>;

function bashScript(commands: readonly DescribedCommand[]): string {
  const cases = commands.map(
    ({ path, words }) =>
      `    '${path.join(' ')}') words='${words.map(({ word }) => word).join(' ')}' ;;`,
  );
  return `# castellan completion for bash
_castellan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command_path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " ${pathsOf(commands)} " in *" \${command_path:+$command_path/}$word "*) command_path="\${command_path:+$command_path/}$word" ;; esac ;; esac
  done
  case "\${command_path//\\// }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# default: names of files where no word fits
complete -o default -F _castellan castellan
`;
}

function zshScript(commands: readonly DescribedCommand[]): string {
  const cases = commands.map(
    ({ path, words }) =>
      `    '${path.join(' ')}') candidates=(${words.map(({ word, description }) => quoteForShell(`${word}:${shortDescription(description)}`)).join(' ')}) ;;`,
  );
  return `#compdef castellan
# castellan completion for zsh
_castellan() {
  local -a candidates
  local command_path='' word
  for word in \${words[2,CURRENT-1]}; do
    case "$word" in -*) ;; *) case " ${pathsOf(commands)} " in *" \${command_path:+$command_path/}$word "*) command_path="\${command_path:+$command_path/}$word" ;; esac ;; esac
  done
  case "\${command_path//\\// }" in
${cases.join('\n')}
  esac
  _describe 'castellan' candidates || _files
}
compdef _castellan castellan
# where zsh loads this file for the first completion, it completes too
if [[ "\${funcstack[1]}" == _castellan ]]; then _castellan "$@"; fi
`;
}

function fishScript(commands: readonly DescribedCommand[]): string {
  const lines = commands.flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const argument = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c castellan -n '${['__castellan_is_at', ...path].join(' ')}' ${argument} -d ${quoteForShell(shortDescription(description))}`;
    }),
  );
  return `# castellan completion for fish
function __castellan_is_at
  set -l command_path
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    contains -- (string join / $command_path $word) ${pathsOf(commands)}; and set -a command_path $word
  end
  test "$command_path" = "$argv"
end
${lines.join('\n')}
`;
}

function pathsOf(commands: readonly DescribedCommand[]): string {
  return commands.flatMap(({ path }) => (path.length === 0 ? [] : [path.join('/')])).join(' ');
}

/** A description in one line of at most 100 characters, without the colon that zsh splits at. */
function shortDescription(text: string): string {
  return text.replace(/[\n:]/g, ' ').replace(/\s+/g, ' ').slice(0, 100);
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command, such as `sandbox start`, with the subcommands, arguments and options that may follow. */
interface DescribedCommand {
  /** The words of the command, `sandbox`, `start`; empty for `castellan` itself. */
  readonly path: readonly string[];
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/** Every command with the words that may follow it. */
export async function describeCommands(
  commands: Readonly<Record<string, CommandEntry>>,
  io: CliIo,
): Promise<readonly DescribedCommand[]> {
  const descriptions: DescribedCommand[] = [
    {
      path: [],
      words: [
        ...Object.entries(commands).map(([word, { summary }]) => ({ word, description: summary })),
        ...optionsOf(createProgram(io)),
      ],
    },
  ];
  for (const entry of Object.values(commands)) {
    const program = createProgram(io);
    (await entry.load()).register(program, io, () => undefined);
    for (const command of program.commands) addDescriptions(command, [], descriptions);
  }
  return descriptions;
}

/** The options of a command, `--help` included. */
function optionsOf(command: Command): DescribedCommand['words'] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
}

/** Adds a command and its subcommands to the list of commands. */
function addDescriptions(
  command: Command,
  parentPath: readonly string[],
  commands: DescribedCommand[],
): void {
  const path = [...parentPath, command.name()];
  const subcommands = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, description })),
  );
  commands.push({
    path,
    words: [
      ...subcommands.map((each) => ({ word: each.name(), description: each.description() })),
      ...choices,
      ...optionsOf(command),
    ],
  });
  for (const each of subcommands) addDescriptions(each, path, commands);
}
