import { benchItems } from './create-items.js';

void benchItems(Number(process.argv[2] ?? 5000));
