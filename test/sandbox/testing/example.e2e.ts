/** The suite of examples/typescript, as its readers run it. */
import '../../../examples/typescript/storefront.test.js';
