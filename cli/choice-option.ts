import { Option } from 'commander';

/**
 * An option whose value is one of some words, which shells complete. The command itself refuses
 * another value, as it knows what else to say about it.
 */
export class ChoiceOption extends Option {
  /**
   * @param words the values.
   * @param description by default the list of words.
   */
  constructor(
    flags: string,
    readonly words: readonly string[],
    description = listOfWords(words),
  ) {
    super(flags, description);
  }
}

/** `text, json or csv` */
export function listOfWords(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=\S+$)/, ' or ');
}
