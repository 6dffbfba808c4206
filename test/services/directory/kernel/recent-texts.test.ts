import { RecentTexts } from '../../../../services/directory/kernel/recent-texts.js';

describe('the texts that are remembered', () => {
  const row = (number: number, body = '{}') => ({ number, id: `id ${number}`, type: 'group', body });
  let made = 0;
  const make = (): string => `{"made":${++made}}`;
  beforeEach(() => {
    made = 0;
  });

  it('are those of what is shown again', () => {
    const texts = new RecentTexts();
    const given = Array.from({ length: 4 }, () => texts.get(row(1), make));
    expect(given).toEqual(['{"made":1}', '{"made":2}', '{"made":2}', '{"made":2}']);
  });

  it('follow every change of the object', () => {
    const texts = new RecentTexts();
    for (let times = 0; times < 3; times++) texts.get(row(1), make);
    expect(texts.get(row(1, '{"displayName":"x"}'), make)).toBe('{"made":3}');
    expect(texts.get({ ...row(1), id: 'other' }, make)).toBe('{"made":4}');
    expect(texts.get({ ...row(1), type: 'user' }, make)).toBe('{"made":5}');
  });

  it('stay while they are asked for, and go when many others were asked for since', () => {
    const texts = new RecentTexts();
    const showTwice = (number: number): void => void [texts.get(row(number), make), texts.get(row(number), make)];
    const others = (from: number, count: number): void => Array.from({ length: count }, (_, at) => from + at).forEach(showTwice);
    showTwice(1);
    expect(texts.get(row(1), make)).toBe('{"made":2}');
    others(2, 10_000);
    expect(texts.get(row(1), make)).toBe('{"made":2}');
    others(20_000, 10_000);
    expect(texts.get(row(1), make)).toBe('{"made":2}');
    others(40_000, 20_000);
    expect(texts.get(row(1), make)).not.toBe('{"made":2}');
  });
});
