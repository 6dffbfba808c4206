import { benchBilling } from './list-transactions.js';

void benchBilling(Number(process.argv[2] ?? 100_000));
