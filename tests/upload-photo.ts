import { finalizeUpload, requestUpload } from '#contract/images.ts'

/** Uploads a photo as the admin area does, and answers its address on the site. */
export async function uploadPhoto(url: string, cookie: string, photo: Buffer) {
  const asked = await fetch(new URL(requestUpload.path, url), { method: requestUpload.method, headers: { cookie } })
  const { uploadURL } = (await asked.json()) as { uploadURL: string }
  await fetch(uploadURL, { method: 'PUT', headers: { cookie }, body: new Uint8Array(photo) })
  const judged = await fetch(new URL(finalizeUpload.path, url), {
    method: finalizeUpload.method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ imageURL: uploadURL }),
  })
  if (!judged.ok) throw new Error(`A photo was refused: ${await judged.text()}`)
  return ((await judged.json()) as { objectPath: string }).objectPath
}
