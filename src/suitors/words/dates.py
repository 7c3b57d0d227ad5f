"""Dates as people write them."""

from datetime import date

from .languages import gettext


def short_date(day: date, lang: str) -> str:
    """A date with its month abbreviated: Jul 26, 2026."""
    _ = gettext(lang)
    months = (
        *(_("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun")),
        *(_("Jul"), _("Aug"), _("Sep"), _("Oct"), _("Nov"), _("Dec")),
    )
    return _("{month} {day}, {year}").format(month=months[day.month - 1], day=day.day, year=day.year)
