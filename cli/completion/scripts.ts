import type { Command } from 'commander';
import { ChoiceOption } from '../choice-option.js';
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
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command_path='' word words=''
  # bash splits --option=value into three words
  if [[ "$current" == '=' ]]; then current=''
  elif [[ "$previous" == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " ${pathsOf(commands)} " in *" \${command_path:+$command_path/}$word "*) command_path="\${command_path:+$command_path/}$word" ;; esac ;; esac
  done
  case "\${command_path//\\// }" in
${cases.join('\n')}
  esac
  case "\${command_path//\\// } $previous" in
${valueCases(commands, (values) => `words='${values.join(' ')}'`)}
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
  local command_path='' word previous=\${words[CURRENT-1]}
  if [[ "$PREFIX" == --*=* ]]; then previous="\${PREFIX%%=*}"; compset -P '*='; fi
  for word in \${words[2,CURRENT-1]}; do
    case "$word" in -*) ;; *) case " ${pathsOf(commands)} " in *" \${command_path:+$command_path/}$word "*) command_path="\${command_path:+$command_path/}$word" ;; esac ;; esac
  done
  case "\${command_path//\\// }" in
${cases.join('\n')}
  esac
  case "\${command_path//\\// } $previous" in
${valueCases(commands, (values) => `candidates=(${values.join(' ')})`)}
  esac
  _describe 'castellan' candidates || _files
}
compdef _castellan castellan
# where zsh loads this file for the first completion, it completes too
if [[ "\${funcstack[1]}" == _castellan ]]; then _castellan "$@"; fi
`;
}

function fishScript(commands: readonly DescribedCommand[]): string {
  const lines = commands.flatMap(({ path, words, optionsWithValue }) =>
    words.map(({ word, description }) => {
      const option = optionsWithValue.find(({ flags }) => flags.includes(word));
      const argument = word.startsWith('--')
        ? [`-l ${word.slice(2)}`, ...fishValue(option)].join(' ')
        : `-a ${word}`;
      return `complete -c castellan -n '${['__castellan_is_at', ...path].join(' ')}' ${argument} -d ${quoteForShell(shortDescription(description))}`;
    }),
  );
  return `# castellan completion for fish
function __castellan_is_at
  set -l command_path
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    contains -- (string join -- / $command_path $word) ${pathsOf(commands)}; and set -a command_path $word
  end
  test "$command_path" = "$argv"
end
${lines.join('\n')}
`;
}

/** The cases of `COMMAND OPTION` before the cursor, each with what a shell does for its values. */
function valueCases(
  commands: readonly DescribedCommand[],
  complete: (values: readonly string[]) => string,
): string {
  return commands
    .flatMap(({ path, optionsWithValue }) =>
      optionsWithValue.map(({ flags, values }) => {
        const patterns = flags.map((flag) => `'${[...path, flag].join(' ')}'`);
        return `    ${patterns.join('|')}) ${complete(values)} ;;`;
      }),
    )
    .join('\n');
}

/** What fish is told of an option with a value: its words, or that a file may follow. */
function fishValue(option: OptionWithValue | undefined): readonly string[] {
  if (option === undefined) return [];
  const short = option.flags.flatMap((flag) => (/^-\w$/.test(flag) ? [`-s ${flag.slice(1)}`] : []));
  const { values } = option;
  return [
    ...short,
    ...(values.length === 0 ? ['-r'] : [`-r -a ${quoteForShell(values.join(' '))}`]),
  ];
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
  readonly optionsWithValue: readonly OptionWithValue[];
}

/** An option that takes a value, such as `--format`. */
interface OptionWithValue {
  /** Its spellings: `--format`, `-f`. */
  readonly flags: readonly string[];
  /** The fixed words among its values; none where it takes any text, such as a file. */
  readonly values: readonly string[];
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
      optionsWithValue: [],
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

function optionsWithValueOf(command: Command): readonly OptionWithValue[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ required }) => required)
    .map((option) => ({
      flags: [option.long, option.short].filter((flag) => flag !== undefined),
      values: option instanceof ChoiceOption ? option.words : [],
    }));
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
    optionsWithValue: optionsWithValueOf(command),
  });
  for (const each of subcommands) addDescriptions(each, path, commands);
}
