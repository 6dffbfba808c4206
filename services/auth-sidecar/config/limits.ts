import { timeSpanToSeconds } from '../../../kinds/auth/time-span.js';
import type { ConfigReader } from './config-reader.js';
import type { Limits } from './settings.js';

/** The allowed limits of a request's headers, in bytes. */
const headerBytesRange = { min: 8 * 1024, max: 256 * 1024 };
const maxClockToleranceSeconds = 5 * 60;

/** The defaults of the cloud's layer, and of Node for headers. */
const defaults = {
  maxHeaderBytes: 16 * 1024,
  clockToleranceSeconds: 10,
  appTimeoutSeconds: 240,
  providerTimeoutSeconds: 20,
};

/** The limits of `httpSettings`: of times and of sizes. */
export function limits(reader: ConfigReader): Limits {
  const property = 'httpSettings.maximumHeaderSize';
  const configured = reader.value(property);
  const maxHeaderBytes = typeof configured === 'number' ? configured : defaults.maxHeaderBytes;
  if (maxHeaderBytes < headerBytesRange.min || maxHeaderBytes > headerBytesRange.max)
    reader.addProblem(
      property,
      `${maxHeaderBytes} is not a number of bytes from ${headerBytesRange.min} to ${headerBytesRange.max}`,
    );
  return {
    maxHeaderBytes,
    clockToleranceSeconds: clockToleranceSeconds(reader),
    appTimeoutSeconds:
      timeSpanSeconds(reader, 'httpSettings.appTimeout') ?? defaults.appTimeoutSeconds,
    providerTimeoutSeconds:
      timeSpanSeconds(reader, 'httpSettings.providerTimeout') ?? defaults.providerTimeoutSeconds,
  };
}

function clockToleranceSeconds(reader: ConfigReader): number {
  const property = 'httpSettings.clockTolerance';
  const text = reader.text(property);
  const seconds = text === undefined ? defaults.clockToleranceSeconds : timeSpanToSeconds(text);
  if (seconds !== undefined && seconds <= maxClockToleranceSeconds) return seconds;
  reader.addProblem(
    property,
    `"${String(text)}" is not a time in the form hh:mm:ss, 00:05:00 at most`,
  );
  return defaults.clockToleranceSeconds;
}

/** A time span in seconds; zero, or a text that is no time span, is a problem. */
export function timeSpanSeconds(reader: ConfigReader, property: string): number | undefined {
  const text = reader.text(property);
  if (text === undefined) return undefined;
  const seconds = timeSpanToSeconds(text);
  if (seconds === undefined || seconds === 0)
    reader.addProblem(
      property,
      `"${text}" is not a time in the form hh:mm:ss or d.hh:mm:ss, greater than zero`,
    );
  return seconds;
}
