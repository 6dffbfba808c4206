/**
 * Reads `--auto-approve=prod` as `--auto-approve --approve prod`: an option whose value is optional would take the path behind it.
 *
 * @param args the words after `castellan`.
 */
export function withApproval(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.flatMap((word, index) => {
    const name = /^--auto-approve=(.*)$/.exec(word)?.[1];
    return name === undefined || (end !== -1 && index > end) ? [word] : ['--auto-approve', '--approve', name];
  });
}
