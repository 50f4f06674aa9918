// The yardstick: node:http sending the status, headers and bytes it is given, and nothing else.
import { createServer } from 'node:http'

let text = ''
for await (const chunk of process.stdin) text += chunk
const { status, body, headers } = JSON.parse(text)
const bytes = Buffer.from(body, 'base64')
const server = createServer((_request, response) => {
  response.writeHead(status, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.on('SIGTERM', () => process.exit(0))
