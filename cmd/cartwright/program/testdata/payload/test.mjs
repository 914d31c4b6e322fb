// What a developer who knows Payload relies on, tested with Payload's own client. It differs from Payload here:
//   - limit: 0 only counts; pagination: false returns up to 500 documents, the limit of a response.
//   - unknown fields, parameters and select names are refused with 400 instead of being dropped.
//   - errors[].data is a list of {field, message}; the code is in errors[].extensions.
//   - versions, globals and joins do not exist: 404 and 400.
import assert from 'node:assert/strict'
import { File } from 'node:buffer'
import { test } from 'node:test'
import { PayloadSDK, PayloadSDKError } from '@payloadcms/sdk'

const shop = JSON.parse(process.env.SHOP)
const other = JSON.parse(process.env.OTHER_SHOP)
const baseURL = shop.baseUrl + '/api'
const client = (headers) => new PayloadSDK({ baseURL, baseInit: { headers } })
const sdk = client({ 'X-API-Key': shop.secretKey })
const visitor = client({ 'X-Client-Key': shop.clientKey })
const nobody = client({})

let serial = 0
const name = (word) => `${word} ${process.pid} ${++serial}`
const brand = (data) => sdk.create({ collection: 'brands', data: { name: name('Brand'), ...data } })

/** refused expects the client's own error class. */
async function refused(promise, status, field) {
  await assert.rejects(promise, (err) => {
    assert.ok(err instanceof PayloadSDKError, String(err))
    assert.equal(err.status, status, err.message)
    assert.equal(err.errors[0].message, err.message)
    assert.ok(err.errors[0].extensions.requestId)
    if (field) assert.ok(err.errors[0].data.some((d) => d.field === field && d.message), JSON.stringify(err.errors))
    return true
  })
}

/** letter waits for the token after before that the development server lists for an address. */
async function letter(email, before) {
  for (let tries = 0; tries < 200; tries++) {
    const { tokens } = await (await fetch(shop.baseUrl + '/dev/tokens.json')).json() // newest first
    const newest = tokens.find((t) => t.email === email)
    if (newest && newest.token !== before) return newest.token
    await new Promise((later) => setTimeout(later, 25))
  }
  throw new Error(`no letter for ${email}`)
}

test('a record is created, found, changed and deleted', async () => {
  const made = await brand({ description: 'first' })
  assert.equal(made.description, 'first')
  assert.equal(made.image, null)
  assert.deepEqual(await sdk.findByID({ collection: 'brands', id: made.id }), made)
  const changed = await sdk.update({ collection: 'brands', id: made.id, data: { description: 'second' } })
  assert.deepEqual({ ...made, description: 'second', revision: made.revision + 1, updatedAt: changed.updatedAt }, changed)
  assert.deepEqual(await sdk.delete({ collection: 'brands', id: made.id }), changed)
  await refused(sdk.findByID({ collection: 'brands', id: made.id }), 404)
  assert.equal(await sdk.findByID({ collection: 'brands', id: made.id, disableErrors: true }), null)
})

test('a list has all members of a page', async () => {
  const word = name('Page')
  for (const letter of ['A', 'B', 'C']) await brand({ name: `${word} ${letter}`, slug: undefined })
  const where = { name: { contains: word } }
  const page = await sdk.find({ collection: 'brands', where, sort: 'name', limit: 2, page: 2 })
  const { docs, ...envelope } = page
  assert.deepEqual(docs.map((d) => d.name), [`${word} C`])
  assert.deepEqual(envelope, { totalDocs: 3, limit: 2, totalPages: 2, page: 2, pagingCounter: 3, hasPrevPage: true, hasNextPage: false, prevPage: 1, nextPage: null })
  assert.deepEqual((await sdk.find({ collection: 'brands', where, sort: ['-name'] })).docs.map((d) => d.name.at(-1)), ['C', 'B', 'A'])
  assert.equal((await sdk.find({ collection: 'brands', where, limit: 0 })).totalDocs, 3)
  assert.equal((await sdk.find({ collection: 'brands', where, pagination: false })).docs.length, 3)
  assert.deepEqual(await sdk.count({ collection: 'brands', where }), { totalDocs: 3 })
})

test('conditions can be nested', async () => {
  const word = name('Where')
  const [a, b, c] = [await brand({ name: `${word} a`, description: 'x' }), await brand({ name: `${word} b` }), await brand({ name: `${word} c`, description: 'y z' })]
  const found = async (where) => (await sdk.find({ collection: 'brands', where: { and: [{ name: { contains: word } }, where] }, sort: 'name' })).docs.map((d) => d.id)
  assert.deepEqual(await found({ or: [{ id: { equals: a.id } }, { and: [{ description: { like: 'Z y' } }, { id: { in: [b.id, c.id] } }] }] }), [a.id, c.id])
  assert.deepEqual(await found({ description: { exists: false } }), [b.id])
  assert.deepEqual(await found({ id: { not_in: [a.id, b.id] } }), [c.id])
  assert.deepEqual(await found({ name: { in: [] } }), [])
  assert.deepEqual(await found({ image: { equals: null } }), [a.id, b.id, c.id])
  assert.deepEqual(await found({ createdAt: { greater_than_equal: new Date(a.createdAt), less_than: new Date('2999-01-01') } }), [a.id, b.id, c.id])
  assert.deepEqual(await found({ description: { not_equals: 'x' } }), [b.id, c.id])
  assert.deepEqual(await found({ and: [] }), [a.id, b.id, c.id])
  assert.deepEqual(await found({ or: [] }), [])
})

test('depth, select and populate shape a record', async () => {
  const category = await sdk.create({ collection: 'categories', data: { name: name('Category') } })
  const product = await sdk.create({ collection: 'products', data: { name: name('Product'), price: 1000, status: 'draft', category: category.id, categories: [category.id] }, depth: 1, select: { category: true } })
  assert.deepEqual(product, { id: product.id, category })
  const get = (options) => sdk.findByID({ collection: 'products', id: product.id, ...options })
  assert.equal((await get({})).category, category.id)
  assert.deepEqual(await get({ select: { name: true, category: true }, depth: 1, populate: { categories: { name: true } } }), { id: product.id, name: (await get({})).name, category: { id: category.id, name: category.name } })
  const rest = await get({ select: { name: false, price: false }, depth: 2 })
  assert.ok(!('name' in rest) && !('price' in rest) && rest.categories[0].slug === category.slug)
  assert.deepEqual((await sdk.update({ collection: 'products', id: product.id, data: { price: 1200 }, select: { price: true } })), { id: product.id, price: 1200 })
  await refused(get({ select: { nothing: true } }), 400, 'select')
  await refused(get({ populate: { nothings: { name: true } } }), 400, 'populate')
})

test('parameters of Payload without a meaning here are accepted', async () => {
  const made = await brand()
  const options = { collection: 'brands', draft: false, trash: false, locale: 'ko', fallbackLocale: 'none', joins: false }
  assert.equal((await sdk.find({ ...options, where: { id: { equals: made.id } }, pagination: true })).docs[0].id, made.id)
  assert.equal((await sdk.findByID({ ...options, id: made.id })).id, made.id)
  await refused(sdk.find({ collection: 'brands', joins: { products: { limit: 1 } } }), 400, 'joins')
  await refused(sdk.findVersions({ collection: 'brands' }), 404)
  await refused(sdk.findVersionByID({ collection: 'brands', id: made.id }), 404)
  await refused(sdk.findGlobal({ slug: 'header' }), 404)
})

test('many records are changed and deleted by a condition', async () => {
  const word = name('Many')
  for (const letter of ['a', 'b', 'c']) await brand({ name: `${word} ${letter}` })
  const where = { name: { contains: word } }
  const updated = await sdk.update({ collection: 'brands', where, data: { description: 'all' }, select: { description: true } })
  assert.deepEqual(updated.docs.map((d) => d.description), ['all', 'all', 'all'])
  assert.deepEqual(updated.errors, [])
  assert.ok(updated.message)
  assert.equal((await sdk.update({ collection: 'brands', where, data: { description: 'one' }, sort: '-name', limit: 1 })).docs[0].name, `${word} c`)
  assert.equal((await sdk.delete({ collection: 'brands', where: { and: [where, { description: { equals: 'all' } }] } })).docs.length, 2)
  assert.equal((await sdk.count({ collection: 'brands', where })).totalDocs, 1)
  await refused(sdk.update({ collection: 'brands', where: {}, data: { description: 'everything' } }), 400, 'where')
  await refused(sdk.delete({ collection: 'brands', where: { and: [] } }), 400, 'where')
})

test('a validation error names every field', async () => {
  await refused(sdk.create({ collection: 'brands', data: { nonsense: 1 } }), 400, 'nonsense')
  await refused(sdk.create({ collection: 'brands', data: { nonsense: 1 } }), 400, 'name')
  await refused(sdk.find({ collection: 'brands', where: { nonsense: { equals: 1 } } }), 400)
  await refused(sdk.find({ collection: 'brands', sort: 'nonsense' }), 400)
  await refused(sdk.find({ collection: 'brands', limit: 501 }), 400, 'limit')
  await refused(sdk.find({ collection: 'nonsense' }), 404)
  await refused(nobody.find({ collection: 'brands' }), 401)
  await refused(visitor.create({ collection: 'brands', data: { name: 'x' } }), 403)
})

test('a file is uploaded', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const made = await sdk.create({ collection: 'media', data: { alt: 'a dot' }, file: new File([png], 'dot.png', { type: 'image/png' }) })
  assert.equal(made.alt, 'a dot')
  assert.equal(made.mimeType, 'image/png')
  assert.equal(made.filesize, png.length)
  assert.deepEqual([made.width, made.height], [1, 1])
  const served = await fetch(new URL(made.url, shop.baseUrl))
  assert.equal(served.status, 200)
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), png)
  const changed = await sdk.update({ collection: 'media', id: made.id, data: { alt: 'still a dot' } })
  assert.deepEqual([changed.alt, changed.filename], ['still a dot', made.filename])
  const replaced = await sdk.update({ collection: 'media', id: made.id, data: { alt: 'a text' }, file: new File(['hello'], 'note.txt', { type: 'text/plain' }) })
  assert.deepEqual([replaced.alt, replaced.mimeType, replaced.filesize, replaced.width], ['a text', 'text/plain', 5, null])
  await refused(sdk.create({ collection: 'media', data: { alt: 'nothing' } }), 400)
  await refused(sdk.create({ collection: 'brands', data: { name: name('Brand') }, file: new File(['hello'], 'note.txt') }), 415)
})

test('a user logs in, refreshes the token and reads their own record', async () => {
  const data = { email: shop.adminEmail, password: shop.adminPassword }
  const session = await nobody.login({ collection: 'users', data })
  assert.equal(session.user.email, shop.adminEmail)
  assert.ok(session.exp > Date.now() / 1000 && session.message)
  for (const scheme of ['JWT', 'Bearer']) {
    const me = await client({ Authorization: `${scheme} ${session.token}` }).me({ collection: 'users' })
    assert.equal(me.user.email, shop.adminEmail)
  }
  assert.equal((await nobody.me({ collection: 'users' })).user, null)
  const refreshed = await client({ Authorization: `JWT ${session.token}` }).refreshToken({ collection: 'users' })
  assert.equal(refreshed.user.email, shop.adminEmail)
  assert.ok(refreshed.refreshedToken && refreshed.exp >= session.exp)
  const again = client({ Authorization: `JWT ${refreshed.refreshedToken}` })
  assert.equal((await again.me({ collection: 'users' })).user.id, session.user.id)
  assert.equal((await again.find({ collection: 'brands' })).page, 1)
  await refused(nobody.login({ collection: 'users', data: { ...data, password: 'wrong' } }), 401)
  await again.request({ method: 'POST', path: '/users/logout' })
  assert.equal((await again.me({ collection: 'users' })).user, null)
})

test('a customer verifies the address and recovers the password', async () => {
  const email = `payload-${process.pid}@shopper.example`
  await sdk.update({ collection: 'tenants', id: shop.tenantId, data: { settings: { requireEmailVerification: true } } })
  await visitor.request({ method: 'POST', path: '/customers/register', json: { email, password: 'a long password 1' } })
  const first = await letter(email)
  assert.ok((await visitor.verifyEmail({ collection: 'customers', token: first })).message)
  await refused(visitor.verifyEmail({ collection: 'customers', token: 'nonsense' }), 400)
  assert.ok((await visitor.forgotPassword({ collection: 'customers', data: { email } })).message)
  const token = await letter(email, first)
  const reset = await visitor.resetPassword({ collection: 'customers', data: { token, password: 'another password 2' } })
  assert.equal(reset.user.email, email)
  const session = await visitor.login({ collection: 'customers', data: { email, password: 'another password 2' } })
  assert.equal(session.user.email, email)
  await refused(visitor.login({ collection: 'customers', data: { email, password: 'a long password 1' } }), 401)
  await refused(visitor.resetPassword({ collection: 'customers', data: { token, password: 'a third password 3' } }), 400)
})

test('a shop cannot read records of another', async () => {
  const made = await brand()
  const foreign = client({ 'X-API-Key': other.secretKey })
  await refused(foreign.findByID({ collection: 'brands', id: made.id }), 404)
  await refused(foreign.update({ collection: 'brands', id: made.id, data: { name: 'x' } }), 404)
  await refused(foreign.delete({ collection: 'brands', id: made.id }), 404)
  assert.equal((await foreign.delete({ collection: 'brands', where: { id: { equals: made.id } } })).docs.length, 0)
  assert.equal((await foreign.count({ collection: 'brands', where: { id: { equals: made.id } } })).totalDocs, 0)
  assert.equal((await sdk.findByID({ collection: 'brands', id: made.id })).id, made.id)
})
