import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { cursorAt } from '../../../cli/lsp/cursor.js';

/** The cursor where `|` is. */
function cursorOf(
  marked: string,
): Pick<ReturnType<typeof cursorAt>, 'path' | 'writes' | 'key' | 'prefix'> {
  const offset = marked.indexOf('|');
  const { path, writes, key, prefix } = cursorAt(marked.replace('|', ''), offset);
  return { path, writes, prefix, ...omitUndefined({ key }) };
}

describe('the cursor in a YAML text', () => {
  it.each([
    ['a key at the top', 'version: 1\nst|', { path: [], writes: 'key', prefix: 'st' }],
    [
      'a key in a map',
      'groups:\n  shoppers:\n    dis|',
      { path: ['groups', 'shoppers'], writes: 'key', prefix: 'dis' },
    ],
    [
      'an empty line in a map',
      'groups:\n  shoppers:\n    kind: unified\n    |\n',
      { path: ['groups', 'shoppers'], writes: 'key', prefix: '' },
    ],
    [
      'a value',
      'groups:\n  shoppers:\n    kind: |',
      { path: ['groups', 'shoppers'], writes: 'value', key: 'kind', prefix: '' },
    ],
    [
      'an incomplete value',
      'groups:\n  shoppers: # ours\n    kind: uni|',
      { path: ['groups', 'shoppers'], writes: 'value', key: 'kind', prefix: 'uni' },
    ],
    [
      'a key in a flow map',
      'eventhouses:\n  store: { workspace: telemetry, dis|',
      { path: ['eventhouses', 'store'], writes: 'key', prefix: 'dis' },
    ],
    [
      'a value in a flow map',
      'eventhouses:\n  store: { workspace: |',
      { path: ['eventhouses', 'store'], writes: 'value', key: 'workspace', prefix: '' },
    ],
    [
      'an item of a flow list',
      'groups:\n  g:\n    owners: [ada, gr|',
      { path: ['groups', 'g', 'owners'], writes: 'value', key: '0', prefix: 'gr' },
    ],
    [
      'a key in a map in a flow list',
      'a:\n  sources: [{ name: x }, { ty|',
      { path: ['a', 'sources', 0], writes: 'key', prefix: 'ty' },
    ],
    [
      'a key of an item of a list',
      'a:\n  sources:\n    - name: web\n      ty|',
      { path: ['a', 'sources', 0], writes: 'key', prefix: 'ty' },
    ],
    [
      'the first key of an item',
      'a:\n  sources:\n    - na|',
      { path: ['a', 'sources', 0], writes: 'key', prefix: 'na' },
    ],
    [
      'a key after a list',
      'a:\n  sources:\n    - name: web\n  dest|',
      { path: ['a'], writes: 'key', prefix: 'dest' },
    ],
    [
      'a key after a deeper map',
      'a:\n  b:\n    c: 1\nd|',
      { path: [], writes: 'key', prefix: 'd' },
    ],
  ])('is found in %s', (_case, text, expected) => {
    expect(cursorOf(text)).toEqual(expected);
  });
});
