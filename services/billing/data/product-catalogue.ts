/** A product of generated transactions. Prices in US cents. */
export interface Product {
  readonly family: string;
  readonly type: string;
  readonly typeId: string;
  readonly description: string;
  /** The unit that the price is for, such as `100 Hours`. */
  readonly unitOfMeasure: string;
  /** What is measured, such as `vCPU Hours`. */
  readonly unitType: string;
  /** The price of one `unitOfMeasure`. */
  readonly centsPerUnit: number;
  /** The most units in a month's usage. */
  readonly maxUnits: number;
  /** Sold by a third party. */
  readonly thirdParty?: true;
  /** Bought for a year instead of used. */
  readonly reservation?: true;
}

/**
 * The products of an organization with container apps, eventhouses and a directory: each with what
 * it is, its units, the price of a unit in cents, and the most units a month.
 */
export const products: readonly Product[] = [
  product(
    ['Storage', 'Blob Storage', 'A12345', 'Hot LRS Data Stored'],
    ['1 GB/Month', 'GB'],
    2,
    90_000,
  ),
  product(
    ['Storage', 'Managed Disks', 'A12377', 'Premium SSD P30 LRS'],
    ['1/Month', 'Disks'],
    12_288,
    40,
  ),
  product(
    ['Compute', 'Container Apps', 'C20010', 'Standard vCPU Active Usage'],
    ['100 Hours', 'vCPU Hours'],
    864,
    900,
  ),
  product(
    ['Compute', 'Container Apps', 'C20011', 'Standard Memory Active Usage'],
    ['100 GB Hours', 'GiB Hours'],
    108,
    1800,
  ),
  product(['Compute', 'VM Instance', 'C20345', 'D4s v5 Linux'], ['1 Hour', 'Hours'], 19, 7440),
  product(
    ['Compute', 'VM Reservation', 'C20399', 'D4s v5 Reserved, 1 Year'],
    ['1', 'Instances'],
    104_256,
    12,
    { reservation: true },
  ),
  product(
    ['Analytics', 'Eventhouse', 'F30001', 'Eventhouse Capacity Usage'],
    ['1 CU Hour', 'CU Hours'],
    18,
    12_000,
  ),
  product(
    ['Analytics', 'Eventstream', 'F30002', 'Eventstream Data Traffic'],
    ['1 GB', 'GB'],
    34,
    2500,
  ),
  product(
    ['Networking', 'Bandwidth', 'N40001', 'Standard Data Transfer Out'],
    ['1 GB', 'GB'],
    8,
    25_000,
  ),
  product(
    ['Networking', 'Application Gateway', 'N40017', 'Standard v2 Fixed Cost'],
    ['1 Hour', 'Hours'],
    25,
    2232,
  ),
  product(
    ['Security', 'Directory Premium', 'S50002', 'Directory Premium P2, per user'],
    ['1/Month', 'Users'],
    900,
    1200,
  ),
  product(['Security', 'Key Vault', 'S50033', 'Secret Operations'], ['10K', 'Operations'], 3, 5000),
  product(
    ['Marketplace', 'Database Add-on', 'M90111', 'Managed Search Cluster, Gold'],
    ['1/Month', 'Clusters'],
    45_000,
    4,
    {
      thirdParty: true,
    },
  ),
];

function product(
  [family, type, typeId, description]: readonly [string, string, string, string],
  [unitOfMeasure, unitType]: readonly [string, string],
  centsPerUnit: number,
  maxUnits: number,
  flags: Pick<Product, 'thirdParty' | 'reservation'> = {},
): Product {
  return {
    family,
    type,
    typeId,
    description,
    unitOfMeasure,
    unitType,
    centsPerUnit,
    maxUnits,
    ...flags,
  };
}

/** Currencies of prices, and what one unit of each is worth in ten-thousandths of a US dollar. */
export const currencies = [
  { code: 'USD', usdTenThousandths: 10_000 },
  { code: 'EUR', usdTenThousandths: 10_842 },
  { code: 'GBP', usdTenThousandths: 12_671 },
  { code: 'JPY', usdTenThousandths: 66 },
] as const;

/** The code of a currency of prices. */
export type CurrencyCode = (typeof currencies)[number]['code'];

/** The invoice sections, and the billing currency of each. */
export const sections: readonly { readonly name: string; readonly currency: CurrencyCode }[] = [
  { name: 'Storefront', currency: 'USD' },
  { name: 'Telemetry', currency: 'USD' },
  { name: 'Platform', currency: 'EUR' },
  { name: 'Research and "Labs"', currency: 'GBP' },
];
