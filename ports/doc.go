// Package ports lists what the use cases need from the outside world, as interfaces and the values that they pass.
//
// # Swapping what is behind a port
//
// An adapter is a folder below adapters with types that implement ports. It imports no other adapter. To
// write another one:
//
//  1. Implement the ports of its row below. Their comments say what each method returns, with which errors, and what has to
//     hold when others do the same at that moment.
//  2. Call the suite of each port from a test in the adapter's folder, on the real thing. A suite takes a function that makes
//     the adapter, or a fixture where it needs to see more than the port shows, and knows nothing of what is behind it.
//  3. Construct the adapter in cmd/cartwright/program, in the file that the row names.
//
// What is to be implemented, by what is swapped:
//
//	the store      Store, Reader, Records, Receipts, Claims, Committer, Stock,     core.go, server.go
//	               StockPlaces, StockPlaceReader, DiscountUses,
//	               ProviderCalls, Ledger, LedgerReader, EventLog, EventTrimmer,
//	               ChangeNotifier, Deliveries, ProcessedWebhooks,
//	               Usage, PendingBlobs, BlobSweep, APIKeys, Accounts,
//	               AccountStore, SealedTokens, Revocations, Logins, OrderCounts,
//	               BackgroundFailures, Epochs, PaymentTasks,
//	               PaymentTaskQueue, EmailRequests, EmailRequestQueue,
//	               SearchIndex, ProductSearch, Reports, ReportSums, NoticePlaces, NoticeMover,
//	               MailQueue, TenantDeletions, TenantErasure, Erasure,
//	               ErasureFinder
//	the cache      ReceiptCache, SharedCounter, AttemptLimiter, TenantCache        server.go
//	a provider     Provider                                                        providers.go
//	the blobs      Blobs                                                           core.go
//	image sizes    ImageSizer                                                      core.go
//	logins         Tokens, Passwords, OneTimeCodes, Passkeys, AttemptLimiter       core.go
//	secrets        Vault                                                           core.go
//	taxes          TaxService                                                      taxes.go
//	webhooks       WebhookSender, WebhookSigner                                    webhook_deliveries.go
//	mails          Mailer                                                          mails.go
//	messages       Messenger                                                       messages.go
//	spreadsheets   Spreadsheets, SpreadsheetReader, SpreadsheetWriter              core.go
//	documents      Prints                                                          server.go
//
// The store is more than its ports: cmd/cartwright/program also opens, migrates, sweeps and sequences it, and asks
// how it is. The recipe for another store in .github/CONTRIBUTING.md names these calls, the order to go in,
// and what each suite is given. The commands backup and restore know the files and tools of today's
// databases.
//
// # Suites
//
// A test of portstest fails while a port has no suite, while an adapter does not run the suites of the ports that it
// implements, and while this list says otherwise. Types that wrap a port, as those of adapters/tracing, are not in it.
//
//	APIKeys            portstest.APIKeys            sqlstore
//	AccountStore       portstest.Accounts           sqlstore
//	Accounts           portstest.Accounts           sqlstore
//	AttemptLimiter     portstest.AttemptLimiter     redis, token
//	BackgroundFailures portstest.BackgroundFailures sqlstore
//	BlobSweep          portstest.PendingBlobs       sqlstore
//	Blobs              portstest.Blobs              blob
//	ChangeNotifier     portstest.ChangeNotifier     sqlstore
//	Claims             portstest.Claims             sqlstore
//	Committer          portstest.Committer          sqlstore/commit
//	Deliveries         portstest.Deliveries         sqlstore/deliveries
//	DiscountUses       portstest.DiscountUses       sqlstore
//	EmailRequestQueue  portstest.EmailRequests      sqlstore
//	EmailRequests      portstest.EmailRequests      sqlstore
//	Epochs             portstest.Epochs             sqlstore
//	Erasure            portstest.Erasure            sqlstore
//	ErasureFinder      portstest.Erasure            sqlstore
//	EventLog           portstest.EventLog           sqlstore/eventlog
//	EventTrimmer       portstest.EventTrimmer       sqlstore/eventlog
//	ImageSizer         portstest.ImageSizer         imagesize
//	Ledger             portstest.Ledger             sqlstore
//	LedgerReader       portstest.LedgerReader       sqlstore
//	Logins             portstest.Logins             sqlstore
//	MailQueue          portstest.MailQueue          sqlstore
//	Mailer             portstest.Mailer             memory, smtp
//	Messenger          portstest.Messenger          memory, webhook
//	NoticeMover        portstest.NoticePlaces       sqlstore
//	NoticePlaces       portstest.NoticePlaces       sqlstore
//	OneTimeCodes       portstest.OneTimeCodes       token
//	OrderCounts        portstest.OrderCounts        sqlstore
//	Passkeys           portstest.Passkeys           passkey
//	Passwords          portstest.Passwords          token
//	PaymentTaskQueue   portstest.PaymentTasks       sqlstore
//	PaymentTasks       portstest.PaymentTasks       sqlstore
//	PendingBlobs       portstest.PendingBlobs       sqlstore
//	Prints             portstest.Prints             pdf
//	ProcessedWebhooks  portstest.ProcessedWebhooks  sqlstore
//	ProductSearch      portstest.ProductSearch      sqlstore/productindex
//	Provider           paymenttest.Provider         payment/examplepay, payment/portone, payment/sandbox, payment/stripe, payment/toss
//	ProviderCalls      portstest.ProviderCalls      sqlstore
//	Reader             portstest.Records            sqlstore
//	ReceiptCache       portstest.ReceiptCache       memory, redis
//	Receipts           portstest.Receipts           sqlstore
//	Records            portstest.Records            sqlstore
//	ReportSums         portstest.Reports            sqlstore/figures
//	Reports            portstest.Reports            sqlstore/figures
//	Revocations        portstest.Revocations        sqlstore
//	SealedTokens       portstest.SealedTokens       sqlstore
//	SearchIndex        portstest.SearchIndex        sqlstore/searchindex
//	SharedCounter      portstest.SharedCounter      redis
//	SpreadsheetReader  portstest.Spreadsheets       spreadsheet
//	SpreadsheetWriter  portstest.Spreadsheets       spreadsheet
//	Spreadsheets       portstest.Spreadsheets       spreadsheet
//	Stock              portstest.Stock              sqlstore
//	StockPlaceReader   portstest.StockPlaces        sqlstore
//	StockPlaces        portstest.StockPlaces        sqlstore
//	Store              portstest.Records            sqlstore
//	TaxService         portstest.TaxService         taxservice
//	TenantCache        portstest.TenantCache        redis
//	TenantDeletions    portstest.TenantErasure      sqlstore
//	TenantErasure      portstest.TenantErasure      sqlstore
//	Tokens             portstest.Tokens             token
//	Usage              portstest.Usage              sqlstore
//	Vault              portstest.Vault              token
//	WebhookSender      portstest.WebhookSender      webhook
//	WebhookSigner      portstest.WebhookSigner      webhook
package ports
