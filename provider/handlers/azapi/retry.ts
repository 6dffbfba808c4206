import { isServiceError, type ServiceError } from '../../../clients/common/index.js';
import type { Resources } from '../../../clients/resource-manager/index.js';
import type { ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure } from '../handler.js';
import { optionalNumber, oneBlock, textList } from '../read-values.js';

/** How long a request is retried: as long as the default timeout of the operations. */
const maxRetryMs = 30 * 60_000;
/** The defaults of the block `retry`. */
const defaults = {
  intervalSeconds: 10,
  maxIntervalSeconds: 180,
  multiplier: 1.5,
  randomizationFactor: 0.5,
};

/**
 * A resource client that retries as the `retry` of a resource says: a request whose error message
 * matches one of `error_message_regex` is repeated after `interval_seconds`, then at growing
 * intervals up to `max_interval_seconds`, for at most half an hour.
 */
export function retryingResources(
  { api, signal }: Context,
  resourceValues: ValueMap,
): Pick<Resources, 'get' | 'find' | 'put' | 'delete'> {
  const { resources, http } = api.resourceManager;
  const retry = <T>(work: () => Promise<T>): Promise<T> =>
    withRetries(resourceValues, work, (milliseconds) => http.sleep(milliseconds, signal));
  return {
    get: (...call) => retry(() => resources.get(...call)),
    find: (...call) => retry(() => resources.find(...call)),
    put: (...call) => retry(() => resources.put(...call)),
    delete: (...call) => retry(() => resources.delete(...call)),
  };
}

/**
 * Retries a call as the `retry` of a resource says.
 *
 * @throws the last error, when it does not match or time is up.
 */
export async function withRetries<T>(
  resourceValues: ValueMap,
  work: () => Promise<T>,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<T> {
  const retry = oneBlock(resourceValues, 'retry');
  if (retry === undefined) return work();
  const patterns = textList(retry, 'error_message_regex').map(parseGoRegExp);
  const multiplier = optionalNumber(retry, 'multiplier') ?? defaults.multiplier;
  const randomizationFactor =
    optionalNumber(retry, 'randomization_factor') ?? defaults.randomizationFactor;
  const maxIntervalSeconds =
    optionalNumber(retry, 'max_interval_seconds') ?? defaults.maxIntervalSeconds;
  let intervalSeconds = optionalNumber(retry, 'interval_seconds') ?? defaults.intervalSeconds;
  for (
    let elapsedMs = 0;
    ;
    intervalSeconds = Math.min(intervalSeconds * multiplier, maxIntervalSeconds)
  ) {
    try {
      return await work();
    } catch (error) {
      if (
        elapsedMs >= maxRetryMs ||
        !isServiceError(error) ||
        !patterns.some((each) => each.test(matchedText(error)))
      )
        throw error;
    }
    const pauseMs = intervalSeconds * 1000 * (1 + randomizationFactor * (2 * Math.random() - 1));
    await sleep(pauseMs);
    elapsedMs += pauseMs;
  }
}

/** The text that the expressions match: status, code and the whole body of the answer. */
function matchedText({ message, body }: ServiceError): string {
  return `${message}\n${typeof body === 'string' ? body : (JSON.stringify(body) ?? '')}`;
}

/** An expression in Go's syntax, with optional flags at the start, such as `(?i)`. */
function parseGoRegExp(text: string): RegExp {
  const [, flags = '', pattern = text] = /^\(\?([ims]+)\)(.*)$/s.exec(text) ?? [];
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderFailure(
      'Invalid configuration',
      `\`retry.error_message_regex\` ${JSON.stringify(text)}: ${reason}`,
      ['retry'],
    );
  }
}
