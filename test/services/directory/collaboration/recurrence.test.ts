import fc from 'fast-check';
import { instantOf } from '../../../../services/directory/collaboration/event-fields.js';
import { datesOf } from '../../../../services/directory/collaboration/recurrence.js';
import { TestDirectory, unifiedGroup } from '../support/directory.js';

const range = (type: string, properties: object = {}): object => ({
  type,
  startDate: '2026-01-05',
  ...properties,
});
const rangeOf2026 = range('endDate', { endDate: '2026-12-31' });

describe('the dates of a series', () => {
  it.each([
    [
      'every day',
      { type: 'daily', interval: 1 },
      range('numbered', { numberOfOccurrences: 3 }),
      ['2026-01-05', '2026-01-06', '2026-01-07'],
    ],
    [
      'every third day',
      { type: 'daily', interval: 3 },
      range('endDate', { endDate: '2026-01-11' }),
      ['2026-01-05', '2026-01-08', '2026-01-11'],
    ],
    [
      'Mondays and Wednesdays of every second week',
      {
        type: 'weekly',
        interval: 2,
        daysOfWeek: ['monday', 'wednesday'],
        firstDayOfWeek: 'monday',
      },
      range('numbered', { numberOfOccurrences: 4 }),
      ['2026-01-05', '2026-01-07', '2026-01-19', '2026-01-21'],
    ],
    [
      'the 31st, or the last day of a shorter month',
      { type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 },
      range('numbered', { numberOfOccurrences: 3 }),
      ['2026-01-31', '2026-02-28', '2026-03-31'],
    ],
    [
      'the second Tuesday of every second month',
      { type: 'relativeMonthly', interval: 2, daysOfWeek: ['tuesday'], index: 'second' },
      range('numbered', { numberOfOccurrences: 3 }),
      ['2026-01-13', '2026-03-10', '2026-05-12'],
    ],
    [
      'the last Friday',
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['friday'], index: 'last' },
      rangeOf2026,
      ['2026-01-30', '2026-02-27'],
    ],
    [
      'Christmas',
      { type: 'absoluteYearly', interval: 1, dayOfMonth: 24, month: 12 },
      range('noEnd'),
      ['2026-12-24', '2027-12-24'],
    ],
    [
      'the first Sunday of Advent, nearly',
      { type: 'relativeYearly', interval: 1, daysOfWeek: ['sunday'], index: 'last', month: 11 },
      range('noEnd'),
      ['2026-11-29', '2027-11-28'],
    ],
  ])('are %s', (_what, pattern, within, dates) => {
    expect(
      datesOf({ pattern, range: within }, '2026-01-01', '2028-01-01').slice(0, dates.length),
    ).toEqual(dates);
  });

  it('are the same whether a period is requested as a whole or in two halves', () => {
    const weekdays = ['monday', 'tuesday', 'saturday', 'sunday'];
    fc.assert(
      fc.property(
        fc.record({
          type: fc.constantFrom(
            'daily',
            'weekly',
            'absoluteMonthly',
            'relativeMonthly',
            'absoluteYearly',
            'relativeYearly',
          ),
          interval: fc.integer({ min: 1, max: 5 }),
          daysOfWeek: fc.subarray(weekdays, { minLength: 1 }),
          dayOfMonth: fc.integer({ min: 1, max: 31 }),
          month: fc.integer({ min: 1, max: 12 }),
          index: fc.constantFrom('first', 'second', 'third', 'fourth', 'last'),
        }),
        fc.integer({ min: 0, max: 300 }),
        (pattern, split) => {
          const series = { pattern, range: range('numbered', { numberOfOccurrences: 40 }) };
          const date = (days: number): string =>
            new Date(Date.UTC(2026, 0, 5 + days)).toISOString().slice(0, 10);
          const allDates = datesOf(series, date(0), date(600));
          expect([
            ...datesOf(series, date(0), date(split)),
            ...datesOf(series, date(split + 1), date(600)),
          ]).toEqual(allDates);
          expect(allDates.length).toBeLessThanOrEqual(40);
        },
      ),
    );
  });
});

describe('the instant of a local time', () => {
  it.each([
    ['1950-07-01T12:00:00', 'Europe/Berlin', '1950-07-01T11:00:00.000Z'],
    ['2026-07-01T12:00:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
    ['2150-01-01T12:00:00', 'America/New_York', '2150-01-01T17:00:00.000Z'],
  ])('%s in %s is %s', (dateTime, timeZone, instant) => {
    expect(new Date(instantOf({ dateTime, timeZone }, 'start')).toISOString()).toBe(instant);
  });
});

describe('a series in the calendar of a group', () => {
  let directory: TestDirectory;
  let group: string;
  beforeAll(async () => {
    directory = await TestDirectory.start();
    group = `/groups/${(await directory.post('/groups', unifiedGroup())).body.id}`;
  });
  afterAll(() => directory.stop());

  const standup = {
    subject: 'Standup',
    start: { dateTime: '2026-03-23T09:00:00', timeZone: 'Europe/Berlin' },
    end: { dateTime: '2026-03-23T09:15:00', timeZone: 'Europe/Berlin' },
    recurrence: {
      pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] },
      range: { type: 'noEnd', startDate: '2026-03-23' },
    },
  };
  const calendarView = async (
    start: string,
    end: string,
  ): Promise<Record<string, { dateTime: string }>[]> =>
    (await directory.get(`${group}/calendarView?startDateTime=${start}&endDateTime=${end}`)).body
      .value;

  it('returns its occurrences in the local time of the event, also across a change of clocks', async () => {
    const { status, body: series } = await directory.post(`${group}/events`, standup);
    expect([status, series.type, series.seriesMasterId]).toEqual([201, 'seriesMaster', null]);
    const shownOccurrences = await calendarView('2026-03-23T00:00:00Z', '2026-04-07T00:00:00Z');
    expect(
      shownOccurrences.map((each) => [each['start']?.dateTime, each['originalStart']]),
    ).toEqual([
      ['2026-03-23T09:00:00', '2026-03-23T08:00:00Z'],
      ['2026-03-30T09:00:00', '2026-03-30T07:00:00Z'],
      ['2026-04-06T09:00:00', '2026-04-06T07:00:00Z'],
    ]);
    expect(shownOccurrences[0]).toMatchObject({
      type: 'occurrence',
      seriesMasterId: series.id,
      subject: 'Standup',
      recurrence: null,
    });
    expect(await calendarView('2026-03-30T07:15:00Z', '2026-04-05T00:00:00Z')).toEqual([]);
    expect((await directory.get(`${group}/events`)).body.value).toHaveLength(1);
    const path = `${group}/events/${series.id}/instances?startDateTime=2026-03-23T00:00:00Z&endDateTime=2026-03-31T00:00:00Z`;
    expect((await directory.get(path)).body.value).toHaveLength(2);
  });

  it('changes and cancels single occurrences', async () => {
    const { body: series } = await directory.post(`${group}/events`, {
      ...standup,
      subject: 'Sync',
    });
    const occurrencesInMay = async (): Promise<Record<string, unknown>[]> =>
      (await calendarView('2026-05-04T00:00:00Z', '2026-05-12T00:00:00Z')).filter(
        (each) => each['seriesMasterId'] === series.id,
      );
    const [first, second] = await occurrencesInMay();
    const changed = await directory.patch(`${group}/events/${String(first?.['id'])}`, {
      subject: 'Special',
    });
    expect([changed.status, changed.body.subject, changed.body.type]).toEqual([
      200,
      'Special',
      'exception',
    ]);
    expect((await directory.delete(`${group}/events/${String(second?.['id'])}`)).status).toBe(204);
    expect((await occurrencesInMay()).map((each) => [each['subject'], each['type']])).toEqual([
      ['Special', 'exception'],
    ]);
    expect((await directory.get(`${group}/events/${String(second?.['id'])}`)).status).toBe(404);
    expect((await directory.get(`${group}/events/${series.id}`)).body).toMatchObject({
      subject: 'Sync',
      type: 'seriesMaster',
    });
    expect((await directory.get(`${group}/events/${series.id}`)).text).not.toContain('exceptions');
    expect(
      (await directory.patch(`${group}/events/${series.id}`, { recurrence: null })).body.type,
    ).toBe('singleInstance');
  });

  it.each([
    'startDateTime=%2B275760-09-12T00:00:00Z&endDateTime=%2B275760-09-13T00:00:00Z',
    'startDateTime=-000001-01-01T00:00:00Z&endDateTime=2026-01-01T00:00:00Z',
    'startDateTime=2026-01-02T00:00:00Z&endDateTime=2026-01-01T00:00:00Z',
    'startDateTime=soon&endDateTime=later',
    'startDateTime=5&endDateTime=2027',
    'startDateTime=1/2/2026&endDateTime=2026-03-01T00:00:00Z',
  ])('is not searched in the invalid period %s', async (query) => {
    await directory.post(`${group}/events`, standup);
    expect((await directory.get(`${group}/calendarView?${query}`)).status).toBe(400);
  });

  it('is found by a period whose time zone has a plus sign that was not encoded', async () => {
    const { body: series } = await directory.post(`${group}/events`, standup);
    const shownOccurrences = await calendarView(
      '2026-03-23T00:00:00+02:00',
      '2026-03-24T00:00:00+02:00',
    );
    expect(
      shownOccurrences.filter(({ seriesMasterId }) => seriesMasterId === series.id),
    ).toHaveLength(1);
  });

  it('has an occurrence that was moved to another month in that month', async () => {
    const { body: series } = await directory.post(`${group}/events`, standup);
    const occurrences = async (start: string, end: string) =>
      (await calendarView(start, end)).filter(({ seriesMasterId }) => seriesMasterId === series.id);
    const [first] = await occurrences('2026-03-23T00:00:00Z', '2026-03-24T00:00:00Z');
    const moved = await directory.patch(`${group}/events/${String(first?.['id'])}`, {
      start: { dateTime: '2026-05-20T09:00:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-05-20T09:15:00', timeZone: 'Europe/Berlin' },
    });
    expect([series.type, moved.status]).toEqual(['seriesMaster', 200]);
    const shownOccurrences = await occurrences('2026-05-20T00:00:00Z', '2026-05-21T00:00:00Z');
    expect(shownOccurrences.map((each) => each['start']?.dateTime)).toEqual([
      '2026-05-20T09:00:00',
    ]);
    expect(await occurrences('2026-03-23T00:00:00Z', '2026-03-24T00:00:00Z')).toEqual([]);
  });

  it.each([
    ['subject', 5],
    ['body', 'text'],
    ['location', 'Rome'],
    ['attendees', 'ada@castellan.example'],
    ['attendees', ['ada@castellan.example']],
    ['categories', [1]],
    ['isAllDay', 'yes'],
    ['reminderMinutesBeforeStart', 1.5],
    ['transactionId', {}],
  ])('has no %s like %j, when it is created and when it changes', async (name, value) => {
    const { body } = await directory.post(`${group}/events`, { ...standup, [name]: value });
    expect(body.error?.details[0].target).toBe(name);
    const { id } = (await directory.post(`${group}/events`, standup)).body;
    const change = await directory.patch(`${group}/events/${id}`, { [name]: value });
    expect(change.status).toBe(400);
  });

  it.each([
    ['name', 5],
    ['color', 'noColor'],
    ['isDefaultCalendar', 'no'],
  ])('is in a calendar whose %s cannot be %j', async (name, value) => {
    expect((await directory.patch(`${group}/calendar`, { [name]: value })).status).toBe(400);
    expect((await directory.get(`${group}/calendar`)).body.name).toBe('Calendar');
  });

  it('is found quickly in periods of centuries', async () => {
    const { status, body } = await directory.get(
      `${group}/calendarView?startDateTime=0003-01-01T00:00:00Z&endDateTime=9990-01-01T00:00:00Z&$top=999`,
    );
    expect([status, body.value.length]).toEqual([200, 999]);
  });

  it('has a start within the range of calendars', async () => {
    const start = { dateTime: '+275760-09-13T00:00:00', timeZone: 'UTC' };
    expect(
      (await directory.post(`${group}/events`, { ...standup, start, end: start })).status,
    ).toBe(400);
  });

  it.each([
    ['no pattern', { range: rangeOf2026 }],
    ['an unknown type', { pattern: { type: 'hourly', interval: 1 }, range: rangeOf2026 }],
    ['no days of a week', { pattern: { type: 'weekly', interval: 1 }, range: rangeOf2026 }],
    [
      'an unknown first day of the week',
      { pattern: { type: 'daily', interval: 1, firstDayOfWeek: 'someday' }, range: rangeOf2026 },
    ],
    [
      'an end before its start',
      {
        pattern: { type: 'daily', interval: 1 },
        range: range('endDate', { endDate: '2025-01-01' }),
      },
    ],
    ['no number', { pattern: { type: 'daily', interval: 1 }, range: range('numbered') }],
    [
      'a day that is none',
      { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate: 'soon' } },
    ],
  ])('is refused with %s', async (_what, recurrence) => {
    expect((await directory.post(`${group}/events`, { ...standup, recurrence })).status).toBe(400);
  });
});
