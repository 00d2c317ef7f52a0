"""Discovery: papers for a draft from services of literature and from the citation graph."""
