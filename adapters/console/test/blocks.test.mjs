import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, contentOf } from '../files/screens/content/blocks.js';

/** again is a text after it was stored and read. */
const again = (text) => blocksOf(contentOf([{ kind: 'paragraph', text }]))[0].text;

test('What people write is read back as they wrote it', () => {
  for (const text of ['a **b** c', '*i* and **b *bi* b**', '***both***', 'a [link](https://shop.example/a) b', '[**b**](/terms)', '2 * 3 * 4', 'two\nlines', '한글 **굵게** 끝']) {
    assert.equal(again(text), text);
  }
});

test('Marks that mean nothing stay texts', () => {
  for (const text of ['**unclosed', '[label](ftp://shop.example)', '<b>x</b>']) {
    const [{ children }] = contentOf([{ kind: 'paragraph', text }]).root.children;
    assert.deepEqual(children.map((n) => [n.type, n.text]), [['text', text]]);
    assert.equal(again(again(text)), again(text));
  }
});

test('Lists, pictures and headings are blocks', () => {
  const blocks = [
    { kind: 'h2', text: 'News' }, { kind: 'bullet', text: 'a\nb **c**' }, { kind: 'image', text: '', media: '0198' }, { kind: 'quote', text: 'q' },
  ];
  assert.deepEqual(blocksOf(contentOf(blocks)).map(({ node, ...block }) => block), blocks);
  assert.equal(contentOf([{ kind: 'paragraph', text: ' ' }]), null);
});

test('What another editor has made is kept as it is', () => {
  const children = [
    { type: 'horizontalrule', version: 1 },
    { type: 'list', listType: 'bullet', children: [{ type: 'listitem', children: [{ type: 'list', listType: 'bullet', children: [] }] }] },
    { type: 'paragraph', children: [{ type: 'text', text: 'underlined', format: 8 }] },
  ];
  const blocks = blocksOf({ root: { type: 'root', children } });
  assert.deepEqual(blocks.map((b) => b.kind), ['other', 'other', 'other']);
  assert.deepEqual(contentOf(blocks).root.children, children);
  assert.equal(blocksOf('<p>markup</p>'), undefined);
});

test('What an edit does not touch keeps what this editor does not show', () => {
  const text = (text) => ({ type: 'text', text, format: 0 });
  const item = (value, line, extra) => ({ type: 'listitem', value, extra, children: [text(line)] });
  const link = { type: 'link', id: 'l1', fields: { url: '/terms', newTab: true, rel: 'nofollow' }, children: [text('terms')] };
  const children = [
    { type: 'paragraph', direction: 'ltr', indent: 2, children: [text('See '), link] },
    { type: 'upload', relationTo: 'media', value: '0198', fields: { caption: 'A cup' } },
    { type: 'list', listType: 'number', start: 4, children: [item(4, 'a', 1), item(5, 'b', 2)] },
  ];
  const blocks = blocksOf({ root: { type: 'root', children } });
  assert.deepEqual(blocks.map((b) => b.kind), ['paragraph', 'image', 'number']);
  assert.deepEqual(contentOf([...blocks, { kind: 'paragraph', text: 'more' }]).root.children.slice(0, 3), children);

  const [first, picture, list] = contentOf([{ ...blocks[0], text: 'Read [our terms](/terms)' }, blocks[1], { ...blocks[2], text: 'new\na\nb' }]).root.children;
  assert.deepEqual([first.direction, first.indent, first.children[0].text], ['ltr', 2, 'Read ']);
  assert.deepEqual([first.children[1].id, first.children[1].fields, first.children[1].children[0].text], ['l1', link.fields, 'our terms']);
  assert.deepEqual(picture, children[1]);
  assert.deepEqual([list.start, list.children.map((i) => [i.value, i.extra])], [4, [[4, undefined], [5, 1], [6, 2]]]);
  const [heading] = contentOf([{ ...blocks[0], kind: 'h2' }]).root.children;
  assert.deepEqual([heading.type, heading.children[1].fields], ['heading', link.fields]);
});

test('A text with a style of its own is kept as it is', () => {
  const child = { type: 'paragraph', children: [{ type: 'text', text: 'red', format: 0, style: 'color: red' }] };
  assert.deepEqual(blocksOf({ root: { children: [child] } }).map((b) => b.kind), ['other']);
});
