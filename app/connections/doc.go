// Package connections is the accounts at payment providers ("provider-connections") and how they are spoken
// to: connections are picked and decrypted, every call that moves money is logged before it is sent, and
// secrets stay secret.
//
//   - Opener finds and decrypts the connection of a payment and returns it with its adapter.
//   - CallLog writes the provider call log: Begin inside the transaction that decides on a call, Send outside
//     of any transaction, Finish with the outcome. A repeated call is sent with the same bytes under the same
//     provider key. Bytes with an account of a buyer are stored sealed, and erased once they are not sent again.
//   - Hooks encrypt what operators write to the collection, and keep connections that payments were made
//     through.
//   - Tester asks a provider whether a connection works.
//   - SecretRotation re-encrypts everything with the newest server secret.
package connections
