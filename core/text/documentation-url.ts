/** The address of the documentation. */
export const documentationUrl = 'https://github.com/castellan/castellan/blob/main/docs';
