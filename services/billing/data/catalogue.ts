/** A thing that generated transactions charge for. Prices in cents of US dollars for one unit. */
export interface Product {
  readonly family: string;
  readonly type: string;
  readonly typeId: string;
  readonly description: string;
  readonly unitOfMeasure: string;
  readonly unitType: string;
  readonly cents: number;
  /** How many units a month's usage may have at most. */
  readonly most: number;
  /** Sold by someone else. */
  readonly thirdParty?: true;
  /** Bought for a year rather than used. */
  readonly reservation?: true;
}

/** What an organisation with container apps, eventhouses and a directory pays for. */
export const products: readonly Product[] = [
  {
    family: 'Storage',
    type: 'Blob Storage',
    typeId: 'A12345',
    description: 'Hot LRS Data Stored',
    unitOfMeasure: '1 GB/Month',
    unitType: 'GB',
    cents: 2,
    most: 90_000,
  },
  {
    family: 'Storage',
    type: 'Managed Disks',
    typeId: 'A12377',
    description: 'Premium SSD P30 LRS',
    unitOfMeasure: '1/Month',
    unitType: 'Disks',
    cents: 12_288,
    most: 40,
  },
  {
    family: 'Compute',
    type: 'Container Apps',
    typeId: 'C20010',
    description: 'Standard vCPU Active Usage',
    unitOfMeasure: '100 Hours',
    unitType: 'vCPU Hours',
    cents: 864,
    most: 900,
  },
  {
    family: 'Compute',
    type: 'Container Apps',
    typeId: 'C20011',
    description: 'Standard Memory Active Usage',
    unitOfMeasure: '100 GB Hours',
    unitType: 'GiB Hours',
    cents: 108,
    most: 1800,
  },
  {
    family: 'Compute',
    type: 'VM Instance',
    typeId: 'C20345',
    description: 'D4s v5 Linux',
    unitOfMeasure: '1 Hour',
    unitType: 'Hours',
    cents: 19,
    most: 7440,
  },
  {
    family: 'Compute',
    type: 'VM Reservation',
    typeId: 'C20399',
    description: 'D4s v5 Reserved, 1 Year',
    unitOfMeasure: '1',
    unitType: 'Instances',
    cents: 104_256,
    most: 12,
    reservation: true,
  },
  {
    family: 'Analytics',
    type: 'Eventhouse',
    typeId: 'F30001',
    description: 'Eventhouse Capacity Usage',
    unitOfMeasure: '1 CU Hour',
    unitType: 'CU Hours',
    cents: 18,
    most: 12_000,
  },
  {
    family: 'Analytics',
    type: 'Eventstream',
    typeId: 'F30002',
    description: 'Eventstream Data Traffic',
    unitOfMeasure: '1 GB',
    unitType: 'GB',
    cents: 34,
    most: 2500,
  },
  {
    family: 'Networking',
    type: 'Bandwidth',
    typeId: 'N40001',
    description: 'Standard Data Transfer Out',
    unitOfMeasure: '1 GB',
    unitType: 'GB',
    cents: 8,
    most: 25_000,
  },
  {
    family: 'Networking',
    type: 'Application Gateway',
    typeId: 'N40017',
    description: 'Standard v2 Fixed Cost',
    unitOfMeasure: '1 Hour',
    unitType: 'Hours',
    cents: 25,
    most: 2232,
  },
  {
    family: 'Security',
    type: 'Directory Premium',
    typeId: 'S50002',
    description: 'Directory Premium P2, per user',
    unitOfMeasure: '1/Month',
    unitType: 'Users',
    cents: 900,
    most: 1200,
  },
  {
    family: 'Security',
    type: 'Key Vault',
    typeId: 'S50033',
    description: 'Secret Operations',
    unitOfMeasure: '10K',
    unitType: 'Operations',
    cents: 3,
    most: 5000,
  },
  {
    family: 'Marketplace',
    type: 'Database Add-on',
    typeId: 'M90111',
    description: 'Managed Search Cluster, Gold',
    unitOfMeasure: '1/Month',
    unitType: 'Clusters',
    cents: 45_000,
    most: 4,
    thirdParty: true,
  },
];

/** Currencies of prices, and how many ten-thousandths of a US dollar one of them costs. */
export const currencies = [
  { code: 'USD', rate: 10_000 },
  { code: 'EUR', rate: 10_842 },
  { code: 'GBP', rate: 12_671 },
  { code: 'JPY', rate: 66 },
] as const;

/** The code of a currency of prices. */
export type CurrencyCode = (typeof currencies)[number]['code'];

/** What invoices are split by, and the currency that each is billed in. */
export const sections: readonly { readonly name: string; readonly currency: CurrencyCode }[] = [
  { name: 'Storefront', currency: 'USD' },
  { name: 'Telemetry', currency: 'USD' },
  { name: 'Platform', currency: 'EUR' },
  { name: 'Research and "Labs"', currency: 'GBP' },
];
