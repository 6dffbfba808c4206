import { parseEvent } from '../../../stacks/terraform/terraform-event.js';

test.each(['null', '7', '"text"', '[]', 'Warning: x', ''])('%s is no event', (line) => {
  expect(parseEvent(line)).toBeUndefined();
});

test('an object is an event', () => {
  expect(parseEvent('{"type":"version"}')).toEqual({ type: 'version' });
});
