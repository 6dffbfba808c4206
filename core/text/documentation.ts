/** The address of the documentation. */
export const documentation = 'https://github.com/castellan/castellan/blob/main/docs';
