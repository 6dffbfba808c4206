import { text } from '../schema/shapes.js';

/** The password of a user: characters of at least three kinds out of small letters, capital letters, digits and symbols. */
export const passwordSchema = text('The password of a user.', { minLength: 8, maxLength: 256 });
