import { nested, optionalComputed, required } from '../build.js';

/** The nested attribute `retry`, the same in every resource and data source: which failures are tried again, and how long apart. */
export const retry = nested('optional', 'single', {
  error_message_regex: required(['list', 'string']),
  interval_seconds: optionalComputed('number', { default: 10 }),
  max_interval_seconds: optionalComputed('number', { default: 180 }),
  multiplier: optionalComputed('number', { default: 1.5, deprecated: true }),
  randomization_factor: optionalComputed('number', { default: 0.5, deprecated: true }),
});
