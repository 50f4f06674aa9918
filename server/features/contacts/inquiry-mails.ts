import type { ContactMessageRow, ContactReplyRow, Db } from '#server/database/tables.ts'

/** The mails that inquiries cause. */
export type InquiryMails = {
  /** Whether there is a mail server that takes them. */
  isOn: boolean
  /** Puts those of an inquiry that has just arrived into the outbox, in the transaction that stores it; spam causes none. */
  ofInquiry(tx: Db, contact: ContactMessageRow): Promise<void>
  /** The same with a reply of the maker; only while there is a mail server. */
  ofReply(tx: Db, contact: ContactMessageRow, reply: ContactReplyRow): Promise<void>
  /** To be called when that transaction is done: what is in the outbox is sent now, and not only with the next round. */
  wake(): void
}

/** Where no mail server is set up. */
export const noMails: InquiryMails = {
  isOn: false,
  ofInquiry: async () => {},
  ofReply: async () => {},
  wake: () => {},
}
