import { compareAccess } from '../../../access/compare/compare.js';
import { idOf, modelOf, stackOf } from '../support.js';

const open = modelOf(stackOf({}));
const closed = modelOf(stackOf({ allowedGroups: [idOf('a group that was not read')] }));

describe('people of whom it is not known whether they get in', () => {
  it('have not lost access', () => {
    const [change] = compareAccess(closed, open);
    expect(change?.unknownCount).toBe(3);
    expect(change?.lost.count).toBe(0);
    expect(change?.reasons).toEqual([]);
  });

  it('have gained it where they certainly get in afterwards', () => {
    const [change] = compareAccess(open, closed);
    expect(change?.gained.count).toBe(3);
    expect(change?.unknownCount).toBe(0);
  });
});
