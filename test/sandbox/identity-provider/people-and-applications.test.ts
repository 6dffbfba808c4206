import { peopleAndApplications } from '../../../sandbox/identity-provider/people-and-applications.js';

/** Answers as the directory service does: `/users/` is the list, too. */
const readDirectory = <T>(path: string): Promise<T | undefined> => {
  const id = /^\/users\/([^?]*)\?/.exec(path)?.[1];
  const answers: Record<string, unknown> = { '': { value: [{ id: 'ada' }] }, ada: { id: 'ada' } };
  return Promise.resolve(answers[id ?? ''] as T | undefined);
};

test.each([
  ['ada', { id: 'ada' }],
  ['grace', undefined],
  ['', undefined],
])('the person "%s" is %o', async (id, person) => {
  expect(await peopleAndApplications(readDirectory).person(id)).toEqual(person);
});
