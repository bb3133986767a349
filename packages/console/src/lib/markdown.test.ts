import { describe, expect, it, test } from 'vitest'
import { cpuMsOf } from '../../../../scripts/lib/cpu-time'
import { type MarkdownOptions, renderInTime, toFragment } from './markdown'
import { markdownToHtml, withoutAttributes } from './markdown-html'

const renderMarkdown = (text: string, options: MarkdownOptions = {}) =>
  toFragment(markdownToHtml(text, options.isInline), options)

function html(text: string, maxLength?: number): string {
  const container = document.createElement('div')
  container.append(renderMarkdown(text, { maxLength }))
  return container.innerHTML.trim()
}

describe('MD-01 only allowed tags are kept:', () => {
  test.each([
    ['**bold** and *italic*', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['~~gone~~', '<p><del>gone</del></p>'],
    ['# title', '<h1>title</h1>'],
    ['##### deep', 'deep'],
    ['- one\n- two', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
    ['`a < b`', '<p><code>a &lt; b</code></p>'],
    ['<script>alert(1)</script>hello', 'hello'],
    ['a <b>word</b> <marquee>moves</marquee>', '<p>a <b>word</b> moves</p>'],
    ['![picture](https://example.com/a.png)', ''],
    ['<img src=x onerror=alert(1)>', ''],
    ['<p onclick="alert(1)" style="color:red" class="x" data-x="1">text</p>', '<p>text</p>'],
    ['<svg><a xlink:href="javascript:alert(1)">x</a></svg>', ''],
    ['<math><mi><style><img src=x onerror=alert(1)></style></mi></math>', ''],
    ['<form action="https://example.com"><input name="password"></form>text', 'text'],
    ['<iframe src="https://example.com"></iframe>', ''],
    ['<span id="root">text</span>', '<p><span>text</span></p>'],
    ['<style>body { display: none }</style>text', 'text'],
    ['<b title="a > b" onclick=x>text</b>', '<p><b> b" onclick=x&gt;text</b></p>'],
    ['<div>\n1 < 2 <b onclick="x"\n</div>', '1 &lt; 2 &lt;b onclick="x"'],
    ['<!-- <b onclick=x> -->text', 'text'],
    ['<?php x ?><!DOCTYPE html><b>text</b>', '<b>text</b>'],
  ])('%s', (text, expected) => expect(html(text)).toBe(expected))

  it('a table', () => {
    expect(html('| a | b |\n|---|---|\n| 1 | 2 |').replaceAll('\n', '')).toBe(
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    )
  })
})

const link = (url: string) => `<p><a href="${url}" target="_blank" rel="noopener noreferrer nofollow">link</a></p>`

describe('MD-02, MD-03 links', () => {
  test.each([
    ['[link](https://example.com/a)', link('https://example.com/a')],
    ['[link](http://example.com)', link('http://example.com')],
    ['[link](mailto:ann@example.com)', link('mailto:ann@example.com')],
    ['[link](HTTPS://example.com)', link('HTTPS://example.com')],
    ['[link](javascript:alert(1))', '<p><a>link</a></p>'],
    ['<a href="java\tscript:alert(1)">link</a>', '<p><a>link</a></p>'],
    ['[link](data:text/html;base64,PHA+)', '<p><a>link</a></p>'],
    ['[link](/ns/team-payments)', '<p><a>link</a></p>'],
    ['[link](//example.com)', '<p><a>link</a></p>'],
    ['[link](ftp://example.com)', '<p><a>link</a></p>'],
    [`<a onclick=x href='https://example.com/"a'>link</a>`, link('https://example.com/%22a').replace('%22', '&quot;')],
    ['<a href="https://example.com" target="_self" rel="opener">link</a>', link('https://example.com')],
  ])('%s', (text, expected) => expect(html(text)).toBe(expected))
})

describe('MD-01, MD-02, MD-03 inline:', () => {
  const line = (text: string) => {
    const container = document.createElement('div')
    container.append(renderMarkdown(text, { isInline: true }))
    return container.innerHTML
  }
  const url = 'https://example.com/a'
  test.each([
    ['**bold** and <b>more</b>', '<strong>bold</strong> and <b>more</b>'],
    [`see [link](${url})`, `see ${link(url).slice('<p>'.length, -'</p>'.length)}`],
    [`see ${url}`, `see ${link(url).slice('<p>'.length, -'</p>'.length).replace('>link<', `>${url}<`)}`],
    ['[link](javascript:alert(1))', '<a>link</a>'],
    ['# no title', '# no title'],
    ['<h1>title</h1> <p>text</p><img src=x onerror=alert(1)>', 'title text'],
  ])('%s', (text, expected) => expect(line(text)).toBe(expected))
})

describe('MD-04 truncated text', () => {
  it('is truncated after a number of visible characters', () => {
    expect(html('**bold** and plain', 256)).toBe('<p><strong>bold</strong> and plain</p>')
    expect(html('**bold** and plain', 6)).toBe('<p><strong>bold</strong> a…</p>')
    expect(html('**bold** and plain\n\nmore', 2)).toBe('<p><strong>bo…</strong></p>')
    expect(renderMarkdown('x'.repeat(300), { maxLength: 256 }).textContent).toBe(`${'x'.repeat(256)}…\n`.trim())
  })

  it('contains nothing after the truncation', () => {
    expect(html('one\n\ntwo\n\n- three', 5).replaceAll('\n', '')).toBe('<p>one</p><p>t…</p>')
  })

  it('never splits a character', () => expect(html('🚢🚢🚢', 2)).toBe('<p>🚢🚢…</p>'))
})

test.each(['', '   \n', '<script>x</script>', '<!-- nothing -->'])('MD-05 %j has nothing to show', (text) =>
  expect(renderMarkdown(text).childNodes).toHaveLength(0),
)

it('renders a megabyte of unclosed tags in linear time', () => {
  const text = `<div>\n${'<a "'.repeat(250_000)}`
  expect(renderMarkdown(text).textContent).toContain('<a "')
})

test.each([
  ['comments that do not end', '<!--'],
  ['declarations that do not end', '<!'],
  ['a name of a tag that does not end', 'a', '<'],
  ['attributes that do not end', ' href="', '<a'],
  ['links without a value', ' href ', '<a', '>'],
])('%s are read in linear time', (_, part, start = '', end = '') => {
  const text = start + part.repeat(100_000) + end
  expect(cpuMsOf(() => withoutAttributes(text))).toBeLessThan(2_000)
})

describe('a text that would block the page', () => {
  it.each(['_a__b', 'a.', '<!--', 'x'])('is parsed by a worker: %s', async (part) => {
    const parse = () => Promise.resolve('<p>parsed</p>')
    expect((await renderInTime(part.repeat(1_001), {}, parse)).textContent).toBe('parsed')
  })

  it('is not rendered if it makes too much HTML', async () => {
    const table = `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'|\n'.repeat(99)}`
    await expect(renderInTime(table, {})).rejects.toThrow('This text would make too much HTML.')
  })
})

it('breaks long words, which browsers lay out in quadratic time, without changing their text', () => {
  const text = ` before ${'🚢'.repeat(700)} after `
  const fragment = renderMarkdown(text)
  expect(fragment.textContent.trim()).toBe(text.trim())
  const lengths = [...(fragment.firstChild?.childNodes ?? [])].map((node) => node.textContent?.length ?? 0)
  expect(Math.max(...lengths)).toBeLessThan(500)
  expect(html('x'.repeat(257))).toBe(`<p>${'x'.repeat(257)}</p>`)
})
