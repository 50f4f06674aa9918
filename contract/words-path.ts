export const wordsPath = '/api/words'
