import { secondsOf } from '../../../kinds/auth/time-span.js';
import type { ConfigReader } from './reader.js';
import type { Limits } from './settings.js';

const headerSizes = { least: 8 * 1024, most: 256 * 1024 };
const maxTolerance = 5 * 60;

/** The limits of `httpSettings`: of times and of sizes. */
export function limits(reader: ConfigReader): Limits {
  const at = 'httpSettings.maximumHeaderSize';
  const given = reader.at(at);
  const headerSize = typeof given === 'number' ? given : 16 * 1024;
  if (headerSize < headerSizes.least || headerSize > headerSizes.most)
    reader.problem(
      at,
      `${headerSize} is not a number of bytes from ${headerSizes.least} to ${headerSizes.most}`,
    );
  return {
    headerSize,
    clockTolerance: clockTolerance(reader),
    app: timeSpan(reader, 'httpSettings.appTimeout') ?? 240,
    provider: timeSpan(reader, 'httpSettings.providerTimeout') ?? 20,
  };
}

function clockTolerance(reader: ConfigReader): number {
  const at = 'httpSettings.clockTolerance';
  const text = reader.text(at);
  const seconds = text === undefined ? 10 : secondsOf(text);
  if (seconds !== undefined && seconds <= maxTolerance) return seconds;
  reader.problem(at, `"${String(text)}" is not a time of the form hh:mm:ss, of 00:05:00 at most`);
  return 10;
}

/** Seconds of a time span longer than nothing. */
export function timeSpan(reader: ConfigReader, at: string): number | undefined {
  const text = reader.text(at);
  if (text === undefined) return undefined;
  const seconds = secondsOf(text);
  if (seconds === undefined || seconds === 0)
    reader.problem(at, `"${text}" is not a time: hh:mm:ss or d.hh:mm:ss, longer than nothing`);
  return seconds;
}
