import { emergencyStateText } from '../../../stacks/terraform/state-file.js';

const state =
  '{"version":4,"serial":4,"lineage":"one","resources":[{"attributes":{"size":12345678901234567890,"text":"a,\\"type\\":"}}]}';
const line = (text: string): string =>
  `{"@level":"info","@message":"Emergency state dump","@module":"terraform.ui","@timestamp":"2026-01-01T00:00:00Z","state":${text},"type":"log"}`;

describe('the state that Terraform prints when it cannot write it', () => {
  it('is read digit by digit, whatever its texts contain', () => {
    expect(emergencyStateText(line(state))).toBe(state);
  });

  it.each([
    ['any other line', '{"@message":"a: Creating...","type":"apply_start"}'],
    ['half a line', line(state).slice(0, 200)],
    [
      'a resource of that name',
      '{"@message":"\\"Emergency state dump\\": Creating...","type":"apply_start"}',
    ],
  ])('is not read from %s', (_what, text) => {
    expect(emergencyStateText(text)).toBeUndefined();
  });
});
