import { sourceLinkTo } from '../../../sandbox/explanation/source-links.js';

test('the link to a line opens the editor, whatever the names of folders', () => {
  const place = { file: 'shop/castellan.yaml', line: 3, column: 5 };
  expect(sourceLinkTo('/work/c# what?', place)).toEqual({
    ...place,
    editor: 'vscode://file/work/c%23%20what%3F/shop/castellan.yaml:3:5',
  });
});
