/** Where the pages of the documentation are read. */
export const documentation = 'https://github.com/castellan/castellan/blob/main/docs';
