import { execFileSync } from 'node:child_process';
import { shellWord } from '../../../core/text/shell-word.js';

describe('a word for a shell', () => {
  it.each(['shop', 'a/b-c_d.yaml', 'groups[0]', "it's $HOME", 'über uns', '"`\\', '', '~', '*'])(
    'is read as %j by the shell',
    (word) => {
      const script = `printf %s ${shellWord(word)}`;
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(word);
    },
  );

  it('is not quoted without need', () => {
    expect(shellWord('stacks/shop.yaml')).toBe('stacks/shop.yaml');
  });
});
