/** Money: the value is the exact decimal as text, in major units of the currency; it never passes through binary floating point. */
export interface Amount {
  readonly currency: string;
  readonly value: string;
}

/** A transaction of an invoice (spec 002, "Transaction"). Unknown values of enumerations pass through. */
export interface Transaction {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly properties: TransactionProperties;
  readonly systemData?: SystemData;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Spec 002, "TransactionProperties". Names of both dialects: `cloud…` in neutral, `azure…` in azure. */
export interface TransactionProperties {
  readonly cloudCreditApplied?: Amount;
  readonly azureCreditApplied?: Amount;
  readonly cloudPlan?: string;
  readonly azurePlan?: string;
  readonly billingCurrency?: string;
  readonly billingProfileDisplayName?: string;
  readonly billingProfileId?: string;
  readonly consumptionCommitmentDecremented?: Amount;
  readonly creditType?: string;
  readonly customerDisplayName?: string;
  readonly customerId?: string;
  /** ISO 8601. */
  readonly date?: string;
  readonly discount?: number;
  readonly effectivePrice?: Amount;
  readonly exchangeRate?: number;
  /** The invoice's name, or `Pending`. */
  readonly invoice?: string;
  readonly invoiceId?: string;
  readonly invoiceSectionDisplayName?: string;
  readonly invoiceSectionId?: string;
  readonly isThirdParty?: boolean;
  readonly kind?: string;
  readonly marketPrice?: Amount;
  readonly partNumber?: string;
  readonly pricingCurrency?: string;
  readonly productDescription?: string;
  readonly productFamily?: string;
  readonly productType?: string;
  readonly productTypeId?: string;
  readonly quantity?: number;
  readonly reasonCode?: string;
  readonly refundTransactionDetails?: {
    readonly amountRefunded?: Amount;
    readonly amountRequested?: Amount;
    readonly refundOperationId?: string;
  };
  readonly servicePeriodEndDate?: string;
  readonly servicePeriodStartDate?: string;
  readonly specialTaxationType?: string;
  readonly subTotal?: Amount;
  readonly tax?: Amount;
  /** What was charged; negative for a refund. */
  readonly transactionAmount?: Amount;
  readonly transactionType?: string;
  readonly unitOfMeasure?: string;
  readonly unitType?: string;
  readonly units?: number;
}

/** Who made and last changed a resource, and when. */
export interface SystemData {
  readonly createdAt?: string;
  readonly createdBy?: string;
  readonly createdByType?: string;
  readonly lastModifiedAt?: string;
  readonly lastModifiedBy?: string;
  readonly lastModifiedByType?: string;
}
