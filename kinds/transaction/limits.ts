/** The limits of the transactions listing (spec 002, "List transactions of an invoice" and "Limits"): the only place that states them. */
export const billingLimits = {
  apiVersion: '2024-04-01',
  top: { maximum: 50 },
  billingAccountName:
    '^([0-9]+|([Pp][Cc][Nn]\\.[A-Za-z0-9]+)|[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(:[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}_[0-9]{4}(-[0-9]{2}){2})?)$',
  invoiceName:
    '^(H[0-9]-[A-Z0-9]+)$|^(?:([GHT]|HT){1}[A-Z0-9]{9})$|^(?:[D]{1}[A-Z0-9]{9})$|^(?:E{1}[B-Z0-9]{1}[A-Z0-9]{8})$|^(?:EA[A-Z0-9]{8})$',
  filter: { maxLength: 8192, maxDepth: 64, maxTerms: 500 },
  orderBy: { maxKeys: 8 },
  tag: { maxLength: 256, forbiddenInKey: ['<', '>', '%', '&', '\\', '?', '/'] },
} as const;
