<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
    <xsl:output method="html" indent="no"/>

    <xsl:template match="/invoice">
        <html>
            <body>
                <h1>Invoice for <xsl:value-of select="@guest"/></h1>
                <table>
                    <xsl:apply-templates select="course">
                        <xsl:sort select="@day" data-type="number"/>
                    </xsl:apply-templates>
                </table>
                <p>Total: <xsl:value-of select="format-number(sum(course/fee), '0.00')"/></p>
            </body>
        </html>
    </xsl:template>

    <xsl:template match="course">
        <tr>
            <td>Day <xsl:value-of select="@day"/></td>
            <td>
                <xsl:choose>
                    <xsl:when test="@group = 'A'">Racers</xsl:when>
                    <xsl:when test="@group = 'B'">Advanced</xsl:when>
                    <xsl:otherwise>Beginners</xsl:otherwise>
                </xsl:choose>
            </td>
            <td><xsl:value-of select="pupil"/></td>
            <td><xsl:value-of select="format-number(fee, '0.00')"/></td>
        </tr>
    </xsl:template>
</xsl:stylesheet>
