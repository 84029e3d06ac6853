"""Space Marine Adventures: Tyranid Attack! One to four people together against the cards."""
