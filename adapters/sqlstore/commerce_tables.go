package sqlstore

// commerceTables belong to receipts, claims, stock, discount uses, the provider journal and the ledger.
var commerceTables = []systemTable{}
