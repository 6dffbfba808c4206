import { whole, words } from '../schema/shapes.js';

/** For how many days an eventstream keeps events: a setting of the eventstream, in the definition part `eventstreamProperties.json`. */
export const retentionTimeInDays = whole('For how many days events are kept.', { minimum: 1, maximum: 90 });

/** The throughput that an eventstream is made for, in the same part. */
export const eventThroughputLevel = words(['Low', 'Medium', 'High'], { description: 'The expected throughput.' });
